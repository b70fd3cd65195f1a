// first: neighbouring elements of the output share bytes, as those of std::vector<bool> do
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(const std::vector<bool>& flags, std::vector<bool>& out) { jackdaw::set_union(flags, flags, out.begin()); }
