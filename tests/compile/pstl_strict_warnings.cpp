// compiles
// with: -Werror -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
// with: -Woverloaded-virtual -Wfloat-equal -Wcast-align=strict
// As strict_warnings.cpp: the library's own <execution> is silent whatever a program converts inside.
#include "jackdaw/pstl.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

int main() {
  using std::execution::par;
  std::vector<short> in(100, short{1});
  std::vector<float> out(100);
  const auto twice = [](short x) { return static_cast<short>(2 * x); };
  const short sum = std::transform_reduce(par, in.begin(), in.end(), short{0}, std::plus<>(), twice);
  const auto add = [](double a, double b) { return a + b; };
  std::inclusive_scan(par, out.begin(), out.end(), out.begin(), add, 1.0F);
  std::exclusive_scan(par, out.begin(), out.end(), out.begin(), 1.0F, add);
  std::transform_inclusive_scan(par, in.begin(), in.end(), out.begin(), add, twice, 1.0F);
  std::sort(par, in.begin(), in.end());
  std::merge(par, in.begin(), in.begin() + 50, in.begin() + 50, in.end(), out.begin());
  std::rotate(par, in.begin(), in.begin() + 50, in.end());
  return std::is_sorted(par, in.begin(), in.end()) ? sum : std::count(par, in.begin(), in.end(), 1) == 0;
}
