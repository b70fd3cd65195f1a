int f(int);
int g(int n) {
  return f(n) + 1 + cilk_spawn f(n);
}
