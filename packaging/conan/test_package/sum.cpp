#include <cstdio>
#include <numeric>
#include <vector>

#include <jackdaw/jackdaw.hpp>

int main() {
  std::vector<long> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 1);
  const long sum = jackdaw::reduce(numbers.begin(), numbers.end(), 0L);
  std::printf("1 + ... + 1000 = %ld\n", sum);
  return sum == 500500 ? 0 : 1;
}
