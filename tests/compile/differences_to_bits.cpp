// first: neighbouring elements of the output share bytes, as those of std::vector<bool> do
#include <functional>
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(const std::vector<bool>& flags, std::vector<bool>& out) {
  jackdaw::adjacent_difference(flags, out.begin(), std::not_equal_to<>{});
}
