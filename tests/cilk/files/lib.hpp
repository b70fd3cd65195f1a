#pragma once
#include <vector>

namespace lib {

long sum(const std::vector<int>& v, long from, long to);

template <class F>
void parallel_for(long first, long last, F f) {
  if (last - first < 8) {
    for (long i = first; i < last; ++i) f(i);
    return;
  }
  const long middle = (first + last) / 2;
  cilk_spawn parallel_for(first, middle, f);
  parallel_for(middle, last, f);
  cilk_sync;
}

}  // namespace lib
