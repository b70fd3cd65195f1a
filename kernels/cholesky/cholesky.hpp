#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "kernels/cholesky/cholesky_leaf.hpp"
#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"
#include "kernels/matmul/matmul.hpp"

namespace jackdaw::kernels {

/// `invoke`: by quarters of the matrix, with one invoke for each group of independent quarters.
enum class cholesky_shape { invoke };

inline constexpr auto cholesky_sizes =
    std::to_array<choice<std::size_t>>({{"2048", 2048}, {"tiny", 256}, {"512", 512}, {"1024", 1024}, {"4096", 4096}});
inline constexpr auto cholesky_shapes = std::to_array<choice<cholesky_shape>>({{"invoke", cholesky_shape::invoke}});

/// The Cholesky decomposition A = L L^T of a dense positive definite matrix by quarters, in place. The upper triangle
/// is neither read nor written.
class cholesky_problem : public problem {
 public:
  using part = square<double>;

  /// One task handles a block of this many rows and columns.
  static constexpr std::size_t cutoff = cholesky_block;

  explicit cholesky_problem(const request& wanted);

  void prepare() override {
    for (std::size_t i = 0; i != n; ++i) fill_row(i);
  }

  /// Compares every bit with a serial decomposition, and elements of L L^T with those of A.
  void check() override;

  double items() const override { return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / 3; }
  std::string_view unit() const override { return "floating-point operations"; }

 protected:
  const std::size_t n;

  part matrix() { return {matrix_.data(), n, row()}; }

  /// Makes row i of A.
  void fill_row(std::size_t i);

 private:
  buffer<double> matrix_;
  std::vector<double> expected_;

  /// One cache line of padding keeps the rows of a block out of each other's cache sets.
  std::size_t row() const { return n + 64 / sizeof(double); }

  double element(std::size_t i, std::size_t j) const;
  void check_product(std::size_t i, std::size_t j) const;
};

/// A = L L^T, serially and in the order of the tasks.
void cholesky_serially(square<double> a);

}  // namespace jackdaw::kernels
