#ifndef OLDER_H
#define OLDER_H
#include <cilk/cilk.h>
#ifndef __cilk
#error "the compiler is said to know Cilk"
#endif
template <class T>
T in_header(T n) {
  if (n < 2) return n;
  T x = cilk_spawn in_header(n - 1);
  T y = in_header(n - 2);
  cilk_sync;
  return x + y;
}
inline int in_header_for(int n) {
  int sums[100] = {};
  cilk_for (int i = 0; i < n; ++i)
    sums[i] = i;
  int all = 0;
  for (int i = 0; i < n; ++i) all += sums[i];
  return all;
}
#endif
