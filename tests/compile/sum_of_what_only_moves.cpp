// first: a reduction.s element has to convert to the type of init
#include <memory>
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(std::vector<std::unique_ptr<int>>& all) {
  jackdaw::reduce(all.begin(), all.end(), std::unique_ptr<int>(),
                  [](std::unique_ptr<int> a, const std::unique_ptr<int>&) { return a; });
}
