#include <cassert>
#include <cstdio>

#include "lib.hpp"
#ifndef COUNT
#error "COUNT is not defined"
#endif
extern "C" {
#include "side.h"
}

int main() {
  std::vector<int> v(COUNT);
  lib::parallel_for(0, COUNT, [&](long i) { v[i] = static_cast<int>(i); });
  assert(v[3] == 3);
  std::printf("%ld %d\n", lib::sum(v, 0, COUNT), c_side(5));
}
