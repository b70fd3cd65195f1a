#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>

long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 24;
  const long found = fib(n);
  std::printf("fib(%d) = %ld\n", n, found);
  return argc > 1 || found == 46368 ? 0 : 1;
}
