#pragma once

#include <cstddef>

namespace jackdaw::kernels {

/// Rows and columns of the blocks that the functions below take. Blocks are stored by rows, `row` doubles apart.
inline constexpr std::size_t cholesky_block = 64;

/// A = L L^T, for the lower triangle of A, which L replaces. A must be positive definite.
void cholesky_factor(double* a, std::size_t row);

/// B = B L^-T, for a lower triangular L.
void cholesky_solve(double* b, const double* l, std::size_t row);

/// C = C - A B^T.
void cholesky_subtract(double* c, const double* a, const double* b, std::size_t row);

/// The lower triangle of C = C - A A^T.
void cholesky_subtract_square(double* c, const double* a, std::size_t row);

}  // namespace jackdaw::kernels
