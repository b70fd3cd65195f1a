// first: static assertion failed: a sort's less\(a, b\) takes two elements
#include <vector>

#include "jackdaw/algorithm/sort.hpp"

struct item {
  bool before(const item& other) const;
};

void f(std::vector<item>& all) { jackdaw::sort(all.begin(), all.end(), &item::before); }
