// first: add changes the state in place, and what it returns is dropped
#include <functional>
#include <vector>

#include "jackdaw/jackdaw.hpp"

long f(const std::vector<int>& in) {
  return jackdaw::fold(in, [] { return 0L; }, [](long sum, int each) { return sum + each; }, std::plus<>{});
}
