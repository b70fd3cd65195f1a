// first: a reduction.s op\(sum, element\)
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(const std::vector<int>& all) {
  jackdaw::reduce(all.begin(), all.end(), 0, [](int a) { return a; });
}
