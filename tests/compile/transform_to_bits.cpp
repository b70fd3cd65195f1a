// first: neighbouring elements of the output share bytes, as those of std::vector<bool> do
// also: write to a std::vector<char>
#include <vector>

#include "jackdaw/jackdaw.hpp"

void f(const std::vector<int>& all, std::vector<bool>& out) {
  jackdaw::transform(all.begin(), all.end(), out.begin(), [](int each) { return each > 0; });
}
