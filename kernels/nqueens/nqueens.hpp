#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"

namespace jackdaw::kernels {

/// How a row's free columns become tasks. `invoke`: the first column in parallel with all the others, recursively.
/// `group`: one group per row, one run per column.
enum class nqueens_shape { invoke, group };

inline constexpr auto nqueens_sizes = std::to_array<choice<unsigned>>(
    {{"14", 14}, {"tiny", 6}, {"8", 8}, {"9", 9}, {"10", 10}, {"11", 11}, {"12", 12}, {"13", 13}, {"15", 15}});
inline constexpr auto nqueens_shapes =
    std::to_array<choice<nqueens_shape>>({{"invoke", nqueens_shape::invoke}, {"group", nqueens_shape::group}});

/// A board with queens in its first rows. Sets of columns are bit masks.
struct queens {
  static constexpr unsigned most = 16;  ///< columns that a board may have

  std::uint32_t columns;       ///< all columns of the board
  std::uint32_t taken = 0;     ///< columns that hold a queen
  std::uint32_t to_right = 0;  ///< columns of the next row attacked along falling diagonals
  std::uint32_t to_left = 0;   ///< columns of the next row attacked along rising diagonals

  explicit constexpr queens(unsigned n) : columns((1u << n) - 1) {}

  constexpr bool full() const { return taken == columns; }

  /// Returns the columns of the next row in which a queen is not attacked.
  constexpr std::uint32_t free() const { return columns & ~(taken | to_right | to_left); }

  /// Returns the board with a queen added in the next row. `column` holds one bit of free().
  constexpr queens with(std::uint32_t column) const {
    queens next = *this;
    next.taken |= column;
    next.to_right = (to_right | column) << 1;
    next.to_left = (to_left | column) >> 1;
    return next;
  }
};

/// Returns the lowest of a set of columns.
constexpr std::uint32_t lowest(std::uint32_t columns) { return columns & -columns; }

/// The number of ways to place n queens on an n x n board so that none attacks another. Every placement of a queen is a
/// task.
class nqueens_problem : public problem {
 public:
  explicit nqueens_problem(const request& wanted)
      : n(choose(nqueens_sizes, "nqueens", "size", wanted.size)),
        shape(choose(nqueens_shapes, "nqueens", "shape", wanted.shape)) {}

  void prepare() override { solutions = 0; }

  void check() override {
    if (solutions != known[n])
      throw check_failed(std::to_string(n) + " queens came out with " + std::to_string(solutions) +
                         " solutions, expected " + std::to_string(known[n]));
  }

  double items() const override { return static_cast<double>(known[n]); }
  std::string_view unit() const override { return "solutions"; }

 protected:
  const unsigned n;
  const nqueens_shape shape;
  std::uint64_t solutions = 0;

 private:
  // OEIS A000170
  static constexpr auto known =
      std::to_array<std::uint64_t>({1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184});
};

}  // namespace jackdaw::kernels
