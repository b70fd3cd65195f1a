#define _USE_MATH_DEFINES
#include "lib.hpp"

#include <cmath>

long lib::sum(const std::vector<int>& v, long from, long to) {
  if (to - from < 10) {
    long s = 0;
    for (long i = from; i < to; ++i) s += v[i];
    return s;
  }
  long l = cilk_spawn sum(v, from, (from + to) / 2);
  long r = sum(v, (from + to) / 2, to);
  cilk_sync;
  return M_PI > 3 ? l + r : 0;
}
