void f(int);
void g(int n) {
  cilk_for (int i = 0; i < n; i++) {
    if (i) return;
    f(i);
  }
}
