// first: neighbouring elements share bytes, as those of std::vector<bool> do
// also: read them through constant iterators
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(std::vector<bool>& all) {
  jackdaw::for_each(all, [](auto each) { each = true; });
}
