#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <jackdaw/access.hpp>
#include <jackdaw/error.hpp>

#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/mix.hpp"
#include "kernels/common/wide.hpp"

namespace jackdaw::kernels {

struct ge_size {
  std::size_t n;            ///< the matrix is n x n
  std::size_t cutoff;       ///< rows of a leaf
  unsigned iterations = 0;  ///< pivots unless the request says otherwise; 0: all
  bool single = false;      ///< of float, else of double
};

/// Named as plane_sizes. BATS's matrix of 48K x 48K has 10 GB, so its elements are single precision.
inline constexpr auto ge_sizes = std::to_array<choice<ge_size>>({{"1024", {1024, 8}},
                                                                 {"tiny", {128, 8}},
                                                                 {"amd", {2048, 8}},
                                                                 {"intel", {8192, 8}},
                                                                 {"cab-512", {512, 128}},
                                                                 {"cab-1k", {1024, 128}},
                                                                 {"cab-4k", {4096, 128}},
                                                                 {"bats", {49152, 8, 200, true}},
                                                                 {"bats/4", {24576, 8, 20, true}},
                                                                 {"bats/16", {12288, 8, 20, true}},
                                                                 {"bats/64", {6144, 4, 20, true}},
                                                                 {"tiny-float", {96, 8, 0, true}}});

/// A State for row_sweep: Gaussian elimination without pivoting of a diagonally dominant matrix, in place. Sweep k
/// subtracts multiples of row k from the rows below it, so that column k vanishes there, and stores the multiples in
/// that column. In the end the matrix holds L (except its diagonal of ones) and U, whose product is the original
/// matrix. Every sweep is over all rows; those down to the pivot stay unchanged. Real: double or float.
template <class Real>
class ge_matrix_of {
 public:
  static constexpr std::string_view name = "ge", unit = "element updates";
  static constexpr const auto& sizes = ge_sizes;

  /// An iteration is a pivot. The default is the size's, or all pivots that have rows below them.
  static std::uint64_t sweeps_of(const ge_size& size, unsigned iterations) {
    const std::uint64_t pivots = size.n - 1;
    if (iterations > pivots)
      throw error("ge: " + std::to_string(iterations) + " iterations, expected at most " + std::to_string(pivots) +
                  ", one for each pivot of this size");
    if (iterations != 0) return iterations;
    return size.iterations != 0 ? size.iterations : pivots;
  }

  explicit ge_matrix_of(const ge_size& size) : n_(size.n), elements_(n_ * stride()) {}

  std::size_t rows() const { return n_; }
  const Real* row(std::size_t i) const { return elements_.data() + i * stride(); }
  Real* row(std::size_t i) { return elements_.data() + i * stride(); }

  void fill(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i != last; ++i) {
      for (std::size_t j = 0; j != n_; ++j)
        row(i)[j] = static_cast<Real>(static_cast<double>(mix(i * n_ + j) >> 11) * 0x1p-52 - 1);
      row(i)[i] += static_cast<Real>(n_);
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
    in_widest_vectors([=, this]() __attribute__((always_inline)) {
      for (std::size_t i = std::max(first, k + 1); i < last; ++i) subtract(row(k), row(i), k);
    });
  }

  std::uint64_t fingerprint(std::uint64_t /*sweeps*/) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i != n_; ++i)
      for (std::size_t j = 0; j != n_; ++j) sum += mix(i * n_ + j + mix(std::bit_cast<bits>(row(i)[j])));
    return sum;
  }

  /// Counts the elements below and to the right of each pivot, and those below it.
  double updates(std::uint64_t sweeps) const {
    double sum = 0;
    for (std::uint64_t k = 0; k != sweeps; ++k) sum += static_cast<double>(n_ - 1 - k) * static_cast<double>(n_ - k);
    return sum;
  }

  /// Returns all memory, including the padding between rows.
  std::array<std::span<Real>, 1> memory() { return {std::span(elements_)}; }

 private:
  using bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;

  std::size_t n_;
  buffer<Real> elements_;

  /// Returns the distance between rows: a cache line of padding keeps rows out of each other's cache sets.
  std::size_t stride() const { return n_ + 64 / sizeof(Real); }

  [[gnu::always_inline]] void subtract(const Real* __restrict pivot, Real* __restrict from, std::size_t k) const {
    const Real factor = from[k] / pivot[k];
    from[k] = factor;
    for (std::size_t j = k + 1; j < n_; ++j) from[j] -= factor * pivot[j];
  }
};

using ge_matrix = ge_matrix_of<double>;

}  // namespace jackdaw::kernels
