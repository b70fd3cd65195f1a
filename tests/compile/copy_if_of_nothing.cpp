// first: no matching function for call to .*copy_if
// also: predicate
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(const std::vector<int>& all, std::vector<int>& out) {
  jackdaw::copy_if(all.begin(), all.end(), out.begin(), [](int) {});
}
