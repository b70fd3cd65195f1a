// first: no matching function for call to .*find_if
// also: predicate
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(const std::vector<int>& all) {
  jackdaw::find_if(all, [](int) {});
}
