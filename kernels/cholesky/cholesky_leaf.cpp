#include "kernels/cholesky/cholesky_leaf.hpp"

#include <array>
#include <cmath>

#include "kernels/common/wide.hpp"

namespace jackdaw::kernels {
namespace {

constexpr std::size_t n = cholesky_block;

/// A block's columns one after the other, so that the innermost loops below run along memory.
using columns = std::array<std::array<double, n>, n>;

[[gnu::always_inline]] inline void transpose(const double* a, std::size_t row, columns& to) {
  for (std::size_t i = 0; i != n; ++i)
    for (std::size_t k = 0; k != n; ++k) to[k][i] = a[i * row + k];
}

}  // namespace

void cholesky_factor(double* a, std::size_t row) {
  std::array<double, n> column;
  for (std::size_t k = 0; k != n; ++k) {
    const double root = std::sqrt(a[k * row + k]);
    a[k * row + k] = root;
    for (std::size_t i = k + 1; i != n; ++i) column[i] = a[i * row + k] /= root;
    for (std::size_t i = k + 1; i != n; ++i)
      for (std::size_t j = k + 1; j <= i; ++j) a[i * row + j] -= column[i] * column[j];
  }
}

void cholesky_solve(double* b, const double* l, std::size_t row) {
  columns of_l;
  transpose(l, row, of_l);
  for (std::size_t i = 0; i != n; ++i) {
    double* const x = b + i * row;
    for (std::size_t k = 0; k != n; ++k) {
      const double found = x[k] /= of_l[k][k];
      for (std::size_t j = k + 1; j != n; ++j) x[j] -= found * of_l[k][j];
    }
  }
}

void cholesky_subtract(double* c, const double* a, const double* b, std::size_t row) {
  in_widest_vectors([=]() __attribute__((always_inline)) {
    columns of_b;
    transpose(b, row, of_b);
    for (std::size_t i = 0; i != n; ++i) {
      // A copy, because writing a sum could otherwise alias elements that are still to be read.
      std::array<double, n> sums;
      for (std::size_t j = 0; j != n; ++j) sums[j] = c[i * row + j];
      for (std::size_t k = 0; k != n; ++k)
        for (std::size_t j = 0; j != n; ++j) sums[j] -= a[i * row + k] * of_b[k][j];
      for (std::size_t j = 0; j != n; ++j) c[i * row + j] = sums[j];
    }
  });
}

void cholesky_subtract_square(double* c, const double* a, std::size_t row) {
  columns of_a;
  transpose(a, row, of_a);
  for (std::size_t i = 0; i != n; ++i) {
    std::array<double, n> sums;
    for (std::size_t j = 0; j <= i; ++j) sums[j] = c[i * row + j];
    for (std::size_t k = 0; k != n; ++k)
      for (std::size_t j = 0; j <= i; ++j) sums[j] -= a[i * row + k] * of_a[k][j];
    for (std::size_t j = 0; j <= i; ++j) c[i * row + j] = sums[j];
  }
}

}  // namespace jackdaw::kernels
