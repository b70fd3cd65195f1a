// first: neighbouring elements of the output share bytes, as those of std::vector<bool> do
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(std::vector<bool>& out) { jackdaw::fill(out, true); }
