#ifndef SHAPES_H
#define SHAPES_H
#include <cilk/cilk.h>
static int header_fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn header_fib(n - 1);
  int y = header_fib(n - 2);
  cilk_sync;
  return x + y;
}
#endif
