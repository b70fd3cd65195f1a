#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <jackdaw/access.hpp>

#include "kernels/common/buffer.hpp"
#include "kernels/common/grid_sizes.hpp"
#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {

/// A State for row_sweep: red/black successive over-relaxation of Laplace's equation in place. An iteration is two
/// sweeps, one of the red cells (whose row and column are both even or both odd) and one of the black cells. A cell's
/// neighbours all have the other colour. The border keeps its values.
class sor_grid {
 public:
  static constexpr std::string_view name = "sor", unit = "cell updates";
  static constexpr const auto& sizes = plane_sizes;
  static constexpr double omega = 1.5;  ///< the relaxation factor

  static std::uint64_t sweeps_of(const grid_size& size, unsigned iterations) {
    return 2 * std::uint64_t{iterations != 0 ? iterations : size.iterations};
  }

  explicit sor_grid(const grid_size& size) : extent_(size.extent), cells_(extent_.x * stride()) {}

  std::size_t rows() const { return extent_.x; }
  const double* row(std::size_t i) const { return cells_.data() + i * stride(); }
  double* row(std::size_t i) { return cells_.data() + i * stride(); }

  void fill(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i != last; ++i)
      for (std::size_t j = 0; j != extent_.length; ++j)
        row(i)[j] = static_cast<double>(mix(i * extent_.length + j) >> 11) * 0x1p-53;
  }

  void declare_fill(std::size_t first, std::size_t last) const {
    jackdaw::writes(row(first), last - first, extent_.length, stride());
  }

  /// Whole rows and their halo are declared, including cells of the other colour, which share the cache lines.
  void declare_sweep(std::uint64_t /*s*/, std::size_t first, std::size_t last) const {
    const inner_rows inner(first, last, extent_.x, 1);
    if (inner.empty()) return;
    jackdaw::reads(row(inner.first - 1), inner.count() + 2, extent_.length, stride());
    jackdaw::writes(row(inner.first) + 1, inner.count(), extent_.length - 2, stride());
  }

  void sweep(std::uint64_t s, std::size_t first, std::size_t last) {
    const inner_rows inner(first, last, extent_.x, 1);
    for (std::size_t i = inner.first; i != inner.last; ++i) sweep_row(row(i), 1 + (i + s + 1) % 2);
  }

  std::uint64_t fingerprint(std::uint64_t /*sweeps*/) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i != extent_.x; ++i)
      for (std::size_t j = 0; j != extent_.length; ++j)
        sum += mix(i * extent_.length + j + mix(std::bit_cast<std::uint64_t>(row(i)[j])));
    return sum;
  }

  double updates(std::uint64_t sweeps) const {
    return static_cast<double>(extent_.cells()) * static_cast<double>(sweeps) / 2;
  }

  /// Returns all memory, including the padding between rows.
  std::array<std::span<double>, 1> memory() { return {std::span(cells_)}; }

 private:
  grid_extent extent_;
  buffer<double> cells_;

  /// Returns the distance between rows: a cache line of padding keeps rows out of each other's cache sets.
  std::size_t stride() const { return extent_.length + 64 / sizeof(double); }

  /// Updates every other cell from `first` on.
  void sweep_row(double* here, std::size_t first) const {
    const double* const above = here - stride();
    const double* const below = here + stride();
    const std::size_t end = extent_.length - 1;
    for (std::size_t j = first; j < end; j += 2) {
      const double mean = ((above[j] + below[j]) + (here[j - 1] + here[j + 1])) * 0.25;
      here[j] += omega * (mean - here[j]);
    }
  }
};

}  // namespace jackdaw::kernels
