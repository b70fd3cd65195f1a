// first: no matching function for call to .*for_each
// also: random_access_iterator
#include <list>

#include "jackdaw/jackdaw.hpp"

void f(std::list<int>& all) {
  jackdaw::for_each(all.begin(), all.end(), [](int) {});
}
