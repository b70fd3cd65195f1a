// first: a reduction.s element has to convert to the type of init
#include <functional>
#include <string>
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(const std::vector<int>& all) {
  jackdaw::transform_reduce(all.begin(), all.end(), 0, std::plus<>(), [](int) { return std::string(); });
}
