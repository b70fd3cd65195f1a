#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "kernels/cholesky/cholesky.hpp"
#include "kernels/common/mix.hpp"
#include "kernels/common/same_bits.hpp"

namespace jackdaw::kernels {
namespace {

using part = square<double>;

void subtract(part c, part a, part b) {
  if (c.n == cholesky_block) return cholesky_subtract(c.data, a.data, b.data, c.row);
  for (const unsigned k : {0, 1})
    for (const unsigned i : {0, 1})
      for (const unsigned j : {0, 1}) subtract(c.part(i, j), a.part(i, k), b.part(j, k));
}

void subtract_square(part c, part a) {
  if (c.n == cholesky_block) return cholesky_subtract_square(c.data, a.data, c.row);
  for (const unsigned k : {0, 1}) {
    subtract_square(c.part(0, 0), a.part(0, k));
    subtract(c.part(1, 0), a.part(1, k), a.part(0, k));
    subtract_square(c.part(1, 1), a.part(1, k));
  }
}

void solve(part b, part l) {
  if (b.n == cholesky_block) return cholesky_solve(b.data, l.data, b.row);
  for (const unsigned i : {0, 1}) {
    solve(b.part(i, 0), l.part(0, 0));
    subtract(b.part(i, 1), b.part(i, 0), l.part(1, 0));
    solve(b.part(i, 1), l.part(1, 1));
  }
}

}  // namespace

void cholesky_serially(part a) {
  if (a.n == cholesky_block) return cholesky_factor(a.data, a.row);
  cholesky_serially(a.part(0, 0));
  solve(a.part(1, 0), a.part(0, 0));
  subtract_square(a.part(1, 1), a.part(1, 0));
  cholesky_serially(a.part(1, 1));
}

cholesky_problem::cholesky_problem(const request& wanted)
    : n(choose(cholesky_sizes, "cholesky", "size", wanted.size)), matrix_(n * row()) {
  choose(cholesky_shapes, "cholesky", "shape", wanted.shape);
}

/// The matrix is symmetric. The sizes of no row's elements off the diagonal add up to n, so the matrix is positive
/// definite.
double cholesky_problem::element(std::size_t i, std::size_t j) const {
  if (i == j) return static_cast<double>(n);
  const std::uint64_t at = std::max(i, j) * n + std::min(i, j);
  return static_cast<double>(mix(at) >> 11) * 0x1p-52 - 1;
}

void cholesky_problem::fill_row(std::size_t i) {
  double* const to = matrix().at_row(i);
  for (std::size_t j = 0; j != row(); ++j) to[j] = j < n ? element(i, j) : 0;
}

void cholesky_problem::check() {
  if (expected_.empty()) {
    buffer<double> found = std::exchange(matrix_, buffer<double>(n * row()));
    cholesky_problem::prepare();
    cholesky_serially(matrix());
    expected_.assign(matrix_.begin(), matrix_.end());
    matrix_ = std::move(found);
  }
  const std::span<const double> found{matrix_.data(), matrix_.size()};
  if (const std::size_t wrong = first_difference(found, expected_); wrong != found.size())
    throw check_failed("column " + std::to_string(wrong % row()) + " of row " + std::to_string(wrong / row()) +
                       " differs from a serial run's");
  check_product(0, 0);
  check_product(n - 1, n - 1);
  for (std::uint64_t k = 0; k != 200; ++k) {
    const std::size_t i = mix(2 * k) % n;
    check_product(i, mix(2 * k + 1) % (i + 1));
  }
}

void cholesky_problem::check_product(std::size_t i, std::size_t j) const {
  double sum = 0;
  for (std::size_t k = 0; k <= j; ++k) sum += matrix_[i * row() + k] * matrix_[j * row() + k];
  // Elements of A are at most n. Rounding loses at most n / 2^53 of the sum of all products' sizes, which the diagonal
  // bounds (Higham 2002, theorem 10.3).
  const double bound = static_cast<double>(n + 1) * static_cast<double>(n) * 0x1p-52;
  if (!(std::abs(sum - element(i, j)) <= bound))
    throw check_failed("element " + std::to_string(j) + " of row " + std::to_string(i) + " of L L^T is " +
                       std::to_string(sum) + ", expected " + std::to_string(element(i, j)));
}

}  // namespace jackdaw::kernels
