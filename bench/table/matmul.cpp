// matmul SIZE [WORKERS]: products of square matrices of int by quarters, down to 32 x 32. SIZE is a power of two.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "bench/table/table_program.hpp"

namespace jackdaw::bench {
namespace {

constexpr std::size_t smallest = 32;

/// c += a b, parts of n x n of matrices whose rows are `stride` apart.
void leaf(const int* a, const int* b, int* c, std::size_t n, std::size_t stride) {
  for (std::size_t i = 0; i != n; ++i)
    for (std::size_t k = 0; k != n; ++k)
      for (std::size_t j = 0; j != n; ++j) c[i * stride + j] += a[i * stride + k] * b[k * stride + j];
}

void multiply(const int* a, const int* b, int* c, std::size_t n, std::size_t stride) {
  if (n <= smallest) {
    leaf(a, b, c, n, stride);
    return;
  }
  const std::size_t right = n / 2, down = right * stride;
  const auto quarters = [&](const int* a, const int* b) {
    invoke([=] { multiply(a, b, c, n / 2, stride); }, [=] { multiply(a, b + right, c + right, n / 2, stride); },
           [=] { multiply(a + down, b, c + down, n / 2, stride); },
           [=] { multiply(a + down, b + right, c + down + right, n / 2, stride); });
  };
  quarters(a, b);
  quarters(a + right, b + down);
}

bool product_of_ones(std::size_t n) {
  const std::vector<int> a(n * n, 1), b(n * n, 1);
  std::vector<int> c(n * n, 0);
  multiply(a.data(), b.data(), c.data(), n, n);
  return std::all_of(c.begin(), c.end(), [n](int each) { return each == static_cast<int>(n); });
}

}  // namespace
}  // namespace jackdaw::bench

int main(int argc, char** argv) {
  using namespace jackdaw::bench;
  const unsigned n = argc > 1 ? argument(argv[1], "matmul") : 0;
  if (!std::has_single_bit(n)) {
    std::fprintf(stderr, "usage: matmul SIZE [WORKERS], the size a power of two\n");
    return 2;
  }
  const auto run = [n] { return product_of_ones(n); };
  return table_program(argc > 2 ? argv[2] : nullptr, run, run);
}
