#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "kernels/common/grid_sizes.hpp"

namespace jackdaw::kernels {

/// A cell becomes half of itself plus an eighth of each of its four neighbours.
struct five_point {
  static constexpr std::string_view name = "heat";
  static constexpr const auto& sizes = plane_sizes;
  static constexpr std::size_t dimensions = 2, radius = 1;

  [[gnu::always_inline]] static double of(const double* at, std::ptrdiff_t row, std::ptrdiff_t /*line*/) {
    return 0.5 * at[0] + 0.125 * ((at[-row] + at[row]) + (at[-1] + at[1]));
  }
};

/// A quarter of the cell, an eighth of each neighbour at its sides, a sixteenth of each at its corners.
struct nine_point {
  static constexpr std::string_view name = "9p";
  static constexpr const auto& sizes = plane_sizes;
  static constexpr std::size_t dimensions = 2, radius = 1;

  [[gnu::always_inline]] static double of(const double* at, std::ptrdiff_t row, std::ptrdiff_t /*line*/) {
    const double* const above = at - row;
    const double* const below = at + row;
    return 0.25 * at[0] + 0.125 * ((above[0] + below[0]) + (at[-1] + at[1])) +
           0.0625 * ((above[-1] + above[1]) + (below[-1] + below[1]));
  }
};

/// A filter: a mask of 3 x 3 weights whose sum is 1, without a symmetry that would save products. A larger mask would
/// make the processor the limit, not memory.
struct convolution {
  static constexpr std::string_view name = "conv";
  static constexpr const auto& sizes = plane_sizes;
  static constexpr std::size_t dimensions = 2, radius = 1;

  /// mask[i][j] is the weight, in 256ths, of the cell i - 1 rows below and j - 1 columns to the right.
  static constexpr std::array<std::array<double, 3>, 3> mask{{{12, 31, 18}, {35, 64, 29}, {21, 33, 13}}};

  [[gnu::always_inline]] static double of(const double* at, std::ptrdiff_t row, std::ptrdiff_t /*line*/) {
    return 0x1p-8 * ((of_row(at - row, mask[0]) + of_row(at + row, mask[2])) + of_row(at, mask[1]));
  }

 private:
  [[gnu::always_inline]] static double of_row(const double* at, const std::array<double, 3>& weights) {
    return (weights[0] * at[-1] + weights[2] * at[1]) + weights[1] * at[0];
  }
};

/// The mean of the six neighbours in space.
struct six_point {
  static constexpr std::string_view name = "6p";
  static constexpr const auto& sizes = space_sizes;
  static constexpr std::size_t dimensions = 3, radius = 1;

  [[gnu::always_inline]] static double of(const double* at, std::ptrdiff_t row, std::ptrdiff_t line) {
    return ((at[-row] + at[row]) + (at[-line] + at[line]) + (at[-1] + at[1])) * (1.0 / 6);
  }
};

/// A star in space: the cell and four neighbours in each of the six directions. Each weight is a quarter of the one
/// before, and their sum is 1.
struct twenty_five_point {
  static constexpr std::string_view name = "25p";
  static constexpr const auto& sizes = space_sizes;
  static constexpr std::size_t dimensions = 3, radius = 4;

  [[gnu::always_inline]] static double of(const double* at, std::ptrdiff_t row, std::ptrdiff_t line) {
    return 0x202p-10 * at[0] + 0x1p-4 * around(at, row, line, 1) + 0x1p-6 * around(at, row, line, 2) +
           0x1p-8 * around(at, row, line, 3) + 0x1p-10 * around(at, row, line, 4);
  }

 private:
  [[gnu::always_inline]] static double around(const double* at, std::ptrdiff_t row, std::ptrdiff_t line,
                                              std::ptrdiff_t far) {
    return (at[-far * row] + at[far * row]) + (at[-far * line] + at[far * line]) + (at[-far] + at[far]);
  }
};

}  // namespace jackdaw::kernels
