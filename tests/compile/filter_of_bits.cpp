// first: neighbouring elements of the output share bytes, as those of std::vector<bool> do
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(const std::vector<bool>& flags) {
  jackdaw::filter(flags, [](bool each) { return each; });
}
