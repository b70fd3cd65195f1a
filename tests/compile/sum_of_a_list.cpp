// first: no matching function for call to .*reduce
// also: random_access_range
#include <list>

#include "jackdaw/jackdaw.hpp"

void f(const std::list<int>& all) { jackdaw::reduce(all, 0); }
