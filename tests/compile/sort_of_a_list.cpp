// first: no matching function for call to .*sort
// also: random_access_iterator
#include <list>

#include "jackdaw/jackdaw.hpp"

void f(std::list<int>& all) { jackdaw::sort(all.begin(), all.end()); }
