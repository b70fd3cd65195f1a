#pragma once
#include <cilk/cilk.h>

inline int triangle(int n) {
  if (n == 0) return 0;
  int rest = cilk_spawn triangle(n - 1);
  cilk_sync;
  return n + rest;
}
