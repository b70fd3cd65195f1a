// first: a sort.s less\(a, b\) takes two elements
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(std::vector<int>& all) {
  jackdaw::stable_sort(all.begin(), all.end(), [](int, int) {});
}
