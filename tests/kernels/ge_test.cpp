#include "kernels/ge/ge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <jackdaw/jackdaw.hpp>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

constexpr std::size_t n = 37;

using square = std::vector<std::vector<double>>;

square copy_of(const ge_matrix& matrix) {
  square result;
  for (std::size_t i = 0; i != matrix.rows(); ++i) result.emplace_back(matrix.row(i), matrix.row(i) + matrix.rows());
  return result;
}

TEST(ge, the_matrix_is_dominated_by_its_diagonal) {
  ge_matrix matrix({n, 4});
  matrix.fill(0, n);
  const square a = copy_of(matrix);
  for (std::size_t i = 0; i != n; ++i) {
    double others = 0;
    for (std::size_t j = 0; j != n; ++j) others += j == i ? 0 : std::abs(a[i][j]);
    EXPECT_GT(others, 0);
    EXPECT_GT(std::abs(a[i][i]), others);
  }
}

TEST(ge, factors_multiply_to_the_matrix) {
  ge_matrix matrix({n, 4});
  matrix.fill(0, n);
  const square a = copy_of(matrix);
  for (std::uint64_t k = 0; k != ge_matrix::sweeps_of({n, 4}, 0); ++k) {
    matrix.sweep(k, 0, 5);
    matrix.sweep(k, 5, n);
  }
  const square factors = copy_of(matrix);
  for (std::size_t i = 0; i != n; ++i)
    for (std::size_t j = 0; j != n; ++j) {
      double product = 0;
      for (std::size_t k = 0; k <= std::min(i, j); ++k) product += (k == i ? 1 : factors[i][k]) * factors[k][j];
      ASSERT_NEAR(product, a[i][j], 1e-12) << "row " << i << ", column " << j;
    }
}

TEST(ge, a_sweep_leaves_rows_down_to_the_pivot_and_columns_before_it_alone) {
  ge_matrix matrix({n, 4});
  matrix.fill(0, n);
  const square before = copy_of(matrix);
  matrix.sweep(9, 0, 20);
  const square after = copy_of(matrix);
  for (std::size_t i = 0; i != n; ++i)
    for (std::size_t j = 0; j != n; ++j)
      EXPECT_EQ(after[i][j] != before[i][j], i > 9 && i < 20 && j >= 9) << "row " << i << ", column " << j;
}

TEST(ge, iterations_are_pivots) {
  EXPECT_EQ(ge_matrix::sweeps_of({n, 4}, 0), n - 1);
  EXPECT_EQ(ge_matrix::sweeps_of({n, 4}, 5), 5u);
  EXPECT_EQ(ge_matrix::sweeps_of({n, 4}, n - 1), n - 1);
  try {
    ge().sides.front().make({.size = "tiny", .iterations = 128});
    ADD_FAILURE() << "128 pivots of a matrix of 128 rows were taken";
  } catch (const error& e) {
    EXPECT_EQ(std::string(e.what()), "ge: 128 iterations, expected at most 127, one for each pivot of this size");
  }
}

TEST(ge, a_size_may_be_of_single_precision) {
  ge_matrix_of<float> single({n, 4});
  ge_matrix both({n, 4});
  single.fill(0, n);
  both.fill(0, n);
  EXPECT_EQ(single.row(2) - single.row(1), static_cast<std::ptrdiff_t>(n + 16));
  for (std::uint64_t k = 0; k != n - 1; ++k) {
    single.sweep(k, 0, n);
    both.sweep(k, 0, n);
  }
  double error = 0;
  for (std::size_t i = 0; i != n; ++i)
    for (std::size_t j = 0; j != n; ++j) error = std::max(error, std::abs(double{single.row(i)[j]} - both.row(i)[j]));
  EXPECT_GT(error, 0);
  EXPECT_LT(error, 1e-4);

  for (const side& each : ge().sides) {
    runtime rt{{.workers = 2}};
    const auto p = each.make({.size = "tiny-float"});
    rt.run([&] {
      p->prepare();
      p->run();
    });
    EXPECT_NO_THROW(p->check());
    EXPECT_EQ(p->items(), ge_matrix({96, 8}).updates(95));
  }
}

TEST(ge, iterations_of_a_size_are_for_it_alone) {
  EXPECT_EQ(ge_matrix::sweeps_of({n, 4, 7}, 0), 7u);
  EXPECT_EQ(ge_matrix::sweeps_of({n, 4, 7}, 9), 9u);
}

TEST(ge, fewer_pivots_are_checked_against_the_same_number) {
  const auto p = ge().sides.back().make({.size = "tiny", .iterations = 3});
  p->prepare();
  p->run();
  EXPECT_NO_THROW(p->check());
  EXPECT_EQ(p->items(), 127.0 * 128 + 126.0 * 127 + 125.0 * 126);
}

}  // namespace
}  // namespace jackdaw::kernels
