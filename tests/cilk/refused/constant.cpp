int value;
int& place(int) { return value; }
int twice(int n) {
  int& there = cilk_spawn place(n);
  cilk_sync;
  return 2 * there;
}
