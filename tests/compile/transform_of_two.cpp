// first: transform_reduce: transform takes an element of each range
#include <functional>
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(const std::vector<int>& all) {
  jackdaw::transform_reduce(all.begin(), all.end(), 0, std::plus<>(), [](int a, int b) { return a + b; });
}
