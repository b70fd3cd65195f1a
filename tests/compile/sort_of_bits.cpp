// first: no matching function for call to .*sort
// also: sortable_in_place
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(std::vector<bool>& all) { jackdaw::sort(all.begin(), all.end()); }
