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
#include "kernels/common/wide.hpp"

namespace jackdaw::kernels {

/// A State for row_sweep: two grids of doubles, one with the state before a sweep, the other with the state after it
/// (Jacobi). Cells nearer to the grid's border than the stencil's radius keep their values. A Stencil has:
///   name, sizes      as in kernel
///   dimensions       2 or 3
///   radius           how many cells away it reads
///   of(at, row, line) a cell's next value: `at` points to the cell; the next row is `row` cells away, and in space the
///                    next line `line` cells
template <class Stencil>
class stencil_grid {
 public:
  static constexpr std::string_view name = Stencil::name, unit = "cell updates";
  static constexpr const auto& sizes = Stencil::sizes;

  static std::uint64_t sweeps_of(const grid_size& size, unsigned iterations) {
    return iterations != 0 ? iterations : size.iterations;
  }

  explicit stencil_grid(const grid_size& size)
      : extent_(size.extent), states_{buffer<double>(extent_.x * stride()), buffer<double>(extent_.x * stride())} {}

  std::size_t rows() const { return extent_.x; }

  /// Returns row i of the state before sweep s.
  const double* row(std::uint64_t s, std::size_t i) const { return states_[s % 2].data() + i * stride(); }
  double* row(std::uint64_t s, std::size_t i) { return states_[s % 2].data() + i * stride(); }

  void fill(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i != last; ++i)
      for (std::size_t k = 0; k != extent_.row(); ++k)
        row(0, i)[k] = row(1, i)[k] = static_cast<double>(mix(i * extent_.row() + k) >> 11) * 0x1p-53;
  }

  void declare_fill(std::size_t first, std::size_t last) const {
    for (const unsigned s : {0, 1}) jackdaw::writes(row(s, first), last - first, extent_.row(), stride());
  }

  /// Whole rows and their halo are declared, including the ends of a row that are not updated.
  void declare_sweep(std::uint64_t s, std::size_t first, std::size_t last) const {
    const inner_rows inner(first, last, extent_.x, radius);
    if (inner.empty()) return;
    jackdaw::reads(row(s, inner.first - radius), inner.count() + 2 * radius, extent_.row(), stride());
    jackdaw::writes(row(s + 1, inner.first) + margin(), inner.count(), extent_.row() - 2 * margin(), stride());
  }

  void sweep(std::uint64_t s, std::size_t first, std::size_t last) {
    const inner_rows inner(first, last, extent_.x, radius);
    in_widest_vectors([=, this]() __attribute__((always_inline)) {
      for (std::size_t i = inner.first; i != inner.last; ++i)
        for (std::size_t j = border_lines; j != extent_.lines - border_lines; ++j)
          sweep_line(row(s, i) + j * extent_.length, row(s + 1, i) + j * extent_.length);
    });
  }

  std::uint64_t fingerprint(std::uint64_t sweeps) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i != extent_.x; ++i)
      for (std::size_t k = 0; k != extent_.row(); ++k)
        sum += mix(i * extent_.row() + k + mix(std::bit_cast<std::uint64_t>(row(sweeps, i)[k])));
    return sum;
  }

  double updates(std::uint64_t sweeps) const {
    return static_cast<double>(extent_.cells()) * static_cast<double>(sweeps);
  }

  /// Returns all memory, including the padding between rows.
  std::array<std::span<double>, 2> memory() { return {std::span(states_[0]), std::span(states_[1])}; }

 private:
  static constexpr std::size_t radius = Stencil::radius, border_lines = Stencil::dimensions == 3 ? radius : 0;

  grid_extent extent_;
  std::array<buffer<double>, 2> states_;

  /// Returns the distance between rows: a cache line of padding keeps rows out of each other's cache sets.
  std::size_t stride() const { return extent_.row() + 64 / sizeof(double); }

  /// Returns the number of cells at a row's beginning, and at its end, that are not updated.
  std::size_t margin() const { return Stencil::dimensions == 3 ? radius * extent_.length : radius; }

  [[gnu::always_inline]] void sweep_line(const double* __restrict in, double* __restrict out) const {
    const auto row = static_cast<std::ptrdiff_t>(stride()), line = static_cast<std::ptrdiff_t>(extent_.length);
    const std::size_t end = extent_.length - radius;
    for (std::size_t k = radius; k < end; ++k) out[k] = Stencil::of(in + k, row, line);
  }
};

}  // namespace jackdaw::kernels
