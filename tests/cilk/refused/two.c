void f(int);
void g(int n, int m) {
  cilk_for (int i = 0; i < n && i < m; i++) f(i);
}
