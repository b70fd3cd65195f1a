int f(int);
int g(int n) {
  const int x = cilk_spawn f(n);
  cilk_sync;
  return x;
}
