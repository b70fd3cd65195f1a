// first: neighbouring elements of the output share bytes, as those of std::vector<bool> do
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(const std::vector<std::vector<bool>>& many, std::vector<bool>& out) { jackdaw::flatten(many, out.begin()); }
