#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "kernels/common/mix.hpp"
#include "kernels/common/wide.hpp"
#include "kernels/heat2d/heat2d_leaf.hpp"
#include "kernels/matmul/matmul_leaf.hpp"

namespace jackdaw::kernels {
namespace {

float element(std::size_t i) { return (static_cast<float>(mix(i) % 17) - 8) / 8; }

TEST(matmul_leaf, adds_the_exact_product_and_leaves_the_padding_alone) {
  constexpr std::size_t n = jackdaw_matmul_block, row = n + 3;
  std::vector<float> a(n * row), b(n * row), c(n * row), expected(n * row);
  for (std::size_t i = 0; i != n * row; ++i) {
    a[i] = element(3 * i);
    b[i] = element(3 * i + 1);
    c[i] = expected[i] = element(3 * i + 2);
  }
  for (std::size_t i = 0; i != n; ++i)
    for (std::size_t k = 0; k != n; ++k)
      for (std::size_t j = 0; j != n; ++j) expected[i * row + j] += a[i * row + k] * b[k * row + j];
  jackdaw_matmul_leaf(a.data(), b.data(), c.data(), row);
  EXPECT_EQ(c, expected) << jackdaw_matmul_leaf_name();
}

TEST(heat2d_leaf, steps_only_its_part_and_never_the_border) {
  constexpr std::size_t n = 40, row = n + 5;
  std::vector<float> in(n * row), out(n * row, -1), expected(n * row, -1);
  for (std::size_t i = 0; i != n * row; ++i) in[i] = element(i);
  for (std::size_t i = 1; i != 20; ++i)
    for (std::size_t j = 7; j != n - 1; ++j)
      expected[i * row + j] = 0.5f * in[i * row + j] + 0.125f * ((in[(i - 1) * row + j] + in[(i + 1) * row + j]) +
                                                                 (in[i * row + j - 1] + in[i * row + j + 1]));
  jackdaw_heat2d_leaf(in.data(), out.data(), n, row, 0, 20, 7, n);
  EXPECT_EQ(out, expected);
}

TEST(wide_leaf, gives_the_same_bits_in_all_vectors) {
  using jackdaw::detail::vectors;
  std::vector<double> in(1003);
  for (std::size_t i = 0; i != in.size(); ++i) in[i] = static_cast<double>(mix(i) >> 11) * 0x1p-53;
  const auto in_these = [&in](vectors which) {
    std::vector<double> out(in.size());
    jackdaw::detail::in_vectors(which,
                                [from = in.data(), to = out.data(), n = in.size()]() __attribute__((always_inline)) {
                                  for (std::size_t i = 1; i + 1 < n; ++i)
                                    to[i] = 0.3 * from[i] + 0.35 * (from[i - 1] + from[i + 1]);
                                });
    return out;
  };
  const std::vector<double> baseline = in_these(vectors::baseline);
  const vectors widest = jackdaw::detail::widest_vectors();
  if (widest >= vectors::avx2) {
    EXPECT_EQ(in_these(vectors::avx2), baseline);
  }
  if (widest >= vectors::avx512) {
    EXPECT_EQ(in_these(vectors::avx512), baseline);
  }
}

}  // namespace
}  // namespace jackdaw::kernels
