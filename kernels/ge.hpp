#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <jackdaw/access.hpp>
#include <jackdaw/error.hpp>

#include "kernels/buffer.hpp"
#include "kernels/choice.hpp"
#include "kernels/mix.hpp"

namespace jackdaw::kernels {

struct ge_size {
  std::size_t n;       ///< the matrix is n x n
  std::size_t cutoff;  ///< rows of a leaf
};

/// Named as plane_sizes.
inline constexpr auto ge_sizes = std::to_array<choice<ge_size>>(
    {{"1024", {1024, 8}}, {"tiny", {128, 8}}, {"amd", {2048, 8}}, {"intel", {8192, 8}}, {"cab-1k", {1024, 128}}});

/// A State for swept_problem: Gaussian elimination without pivoting of a matrix whose diagonal dominates, in place. Sweep
/// k subtracts multiples of row k from the rows below it so that column k vanishes there, and keeps the multiples in its
/// stead: in the end the matrix is L (but for its diagonal of ones) and U, whose product is the matrix from before.
/// Every sweep is over all rows; those down to the pivot are left alone.
class ge_matrix {
 public:
  static constexpr std::string_view name = "ge", unit = "element updates";
  static constexpr const auto& sizes = ge_sizes;

  /// An iteration is a pivot; the default is all that have rows below them.
  static std::uint64_t sweeps_of(const ge_size& size, unsigned iterations) {
    const std::uint64_t pivots = size.n - 1;
    if (iterations > pivots)
      throw error("ge: " + std::to_string(iterations) + " iterations, expected at most " + std::to_string(pivots) +
                  ", one for each pivot of this size");
    return iterations != 0 ? iterations : pivots;
  }

  explicit ge_matrix(const ge_size& size) : n_(size.n), elements_(n_ * stride()) {}

  std::size_t rows() const { return n_; }
  const double* row(std::size_t i) const { return elements_.data() + i * stride(); }
  double* row(std::size_t i) { return elements_.data() + i * stride(); }

  void fill(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i != last; ++i) {
      for (std::size_t j = 0; j != n_; ++j) row(i)[j] = static_cast<double>(mix(i * n_ + j) >> 11) * 0x1p-52 - 1;
      row(i)[i] += static_cast<double>(n_);
    }
  }

  void declare_fill(std::size_t first, std::size_t last) const {
    jackdaw::writes(row(first), last - first, n_, stride());
  }

  void declare_sweep(std::uint64_t k, std::size_t first, std::size_t last) const {
    first = std::max(first, k + 1);
    if (first >= last) return;
    jackdaw::reads(row(k) + k, n_ - k);
    jackdaw::reads(row(first) + k, last - first, n_ - k, stride());
    jackdaw::writes(row(first) + k, last - first, n_ - k, stride());
  }

  void sweep(std::uint64_t k, std::size_t first, std::size_t last) {
    for (std::size_t i = std::max(first, k + 1); i < last; ++i) subtract(row(k), row(i), k);
  }

  std::uint64_t fingerprint(std::uint64_t /*sweeps*/) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i != n_; ++i)
      for (std::size_t j = 0; j != n_; ++j) sum += mix(i * n_ + j + mix(std::bit_cast<std::uint64_t>(row(i)[j])));
    return sum;
  }

  /// The elements below and to the right of each pivot, and those below it.
  double updates(std::uint64_t sweeps) const {
    double sum = 0;
    for (std::uint64_t k = 0; k != sweeps; ++k) sum += static_cast<double>(n_ - 1 - k) * static_cast<double>(n_ - k);
    return sum;
  }

  /// All memory, the padding between rows too.
  std::array<std::span<double>, 1> memory() { return {std::span(elements_)}; }

 private:
  std::size_t n_;
  buffer<double> elements_;

  /// From one row to the next: a cache line of padding keeps rows out of each other's cache sets.
  std::size_t stride() const { return n_ + 64 / sizeof(double); }

  void subtract(const double* __restrict pivot, double* __restrict from, std::size_t k) const {
    const double factor = from[k] / pivot[k];
    from[k] = factor;
    for (std::size_t j = k + 1; j < n_; ++j) from[j] -= factor * pivot[j];
  }
};

}  // namespace jackdaw::kernels
