#include "kernels/cholesky/cholesky.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {
namespace {

constexpr std::size_t block = cholesky_block;
constexpr double untouched = -77;

/// A matrix of small whole numbers, padded. Every operation on such matrices below is exact.
struct matrix {
  std::size_t n, row;
  std::vector<double> values;

  explicit matrix(std::size_t size, double value = untouched) : n(size), row(size + 5), values(n * row, value) {}

  double& at(std::size_t i, std::size_t j) { return values[i * row + j]; }
  double at(std::size_t i, std::size_t j) const { return values[i * row + j]; }
  double* data() { return values.data(); }
  const double* data() const { return values.data(); }
};

matrix whole_numbers(std::size_t n, std::uint64_t seed) {
  matrix result(n);
  for (std::size_t i = 0; i != n; ++i)
    for (std::size_t j = 0; j != n; ++j) result.at(i, j) = static_cast<double>(mix(seed * n * n + i * n + j) % 7) - 3;
  return result;
}

/// A lower triangle with powers of two on its diagonal.
matrix triangle(std::size_t n, std::uint64_t seed) {
  matrix result = whole_numbers(n, seed);
  for (std::size_t i = 0; i != n; ++i) {
    result.at(i, i) = static_cast<double>(1u << mix(seed + i) % 3);
    for (std::size_t j = i + 1; j != n; ++j) result.at(i, j) = untouched;
  }
  return result;
}

double element(const matrix& lower, std::size_t i, std::size_t j) { return j <= i ? lower.at(i, j) : 0; }

/// The lower triangle of L L^T.
matrix squared(const matrix& l) {
  matrix result(l.n);
  for (std::size_t i = 0; i != l.n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k <= j; ++k) sum += l.at(i, k) * l.at(j, k);
      result.at(i, j) = sum;
    }
  return result;
}

TEST(cholesky, a_block_is_factored_exactly_and_nothing_else_touched) {
  const matrix l = triangle(block, 1);
  matrix a = squared(l);
  cholesky_factor(a.data(), a.row);
  EXPECT_EQ(a.values, l.values);
}

TEST(cholesky, solve_undoes_a_product) {
  const matrix l = triangle(block, 2), x = whole_numbers(block, 3);
  matrix b(block);
  for (std::size_t i = 0; i != block; ++i)
    for (std::size_t j = 0; j != block; ++j) {
      b.at(i, j) = 0;
      for (std::size_t k = 0; k != block; ++k) b.at(i, j) += x.at(i, k) * element(l, j, k);
    }
  cholesky_solve(b.data(), l.data(), b.row);
  EXPECT_EQ(b.values, x.values);
}

TEST(cholesky, products_are_subtracted) {
  const matrix a = whole_numbers(block, 4), b = whole_numbers(block, 5);
  matrix c = whole_numbers(block, 6), d = whole_numbers(block, 7);
  matrix c_expected = c, d_expected = d;
  for (std::size_t i = 0; i != block; ++i)
    for (std::size_t j = 0; j != block; ++j)
      for (std::size_t k = 0; k != block; ++k) {
        c_expected.at(i, j) -= a.at(i, k) * b.at(j, k);
        if (j <= i) d_expected.at(i, j) -= a.at(i, k) * a.at(j, k);
      }
  cholesky_subtract(c.data(), a.data(), b.data(), c.row);
  cholesky_subtract_square(d.data(), a.data(), d.row);
  EXPECT_EQ(c.values, c_expected.values);
  EXPECT_EQ(d.values, d_expected.values);
}

TEST(cholesky, a_matrix_of_many_blocks_is_factored_exactly) {
  const matrix l = triangle(4 * block, 8);
  matrix a = squared(l);
  cholesky_serially({a.data(), a.n, a.row});
  EXPECT_EQ(a.values, l.values);
}

class serial_cholesky : public cholesky_problem {
 public:
  using cholesky_problem::cholesky_problem;
  void run() override { cholesky_serially(matrix()); }
  double& corner() { return matrix().at_row(n - 1)[n - 1]; }
};

TEST(cholesky, check_finds_one_wrong_bit) {
  serial_cholesky p({.size = "tiny"});
  p.prepare();
  p.run();
  EXPECT_NO_THROW(p.check());
  p.corner() = std::nextafter(p.corner(), 0);
  EXPECT_THROW(p.check(), check_failed);
  p.corner() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(p.check(), check_failed);
}

}  // namespace
}  // namespace jackdaw::kernels
