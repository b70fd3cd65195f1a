#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <jackdaw/access.hpp>

#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"
#include "kernels/common/mix.hpp"
#include "kernels/heat2d/heat2d_hints.hpp"
#include "kernels/heat2d/heat2d_leaf.hpp"

namespace jackdaw::kernels {

/// How a sweep over the grid forks. `blocks`: quarters of quarters down to 64 x 64, as in ADWS section 5.1. `rows`: a
/// parallel loop over strips of rows.
enum class heat2d_shape { blocks, rows };

struct heat2d_size {
  std::size_t n;        ///< the grid is n x n
  unsigned iterations;  ///< unless the request says otherwise
};

inline constexpr auto heat2d_sizes = std::to_array<choice<heat2d_size>>({{"2048", {2048, 100}},
                                                                         {"tiny", {128, 10}},
                                                                         {"512", {512, 4000}},
                                                                         {"1024", {1024, 1000}},
                                                                         {"4096", {4096, 50}},
                                                                         {"8192", {8192, 12}}});
inline constexpr auto heat2d_shapes =
    std::to_array<choice<heat2d_shape>>({{"blocks", heat2d_shape::blocks}, {"rows", heat2d_shape::rows}});

/// A rectangle of cells: rows top..bottom-1, columns left..right-1.
struct rectangle {
  std::size_t top, bottom, left, right;

  std::size_t height() const { return bottom - top; }

  /// A quarter: the upper or lower half's left or right half.
  rectangle part(unsigned lower, unsigned right_half) const {
    const std::size_t down = top + height() / 2, across = left + (right - left) / 2;
    return {lower ? down : top, lower ? bottom : down, right_half ? across : left, right_half ? right : across};
  }
};

/// Two n x n grids: one holds the state before a step, the other the state after it.
class heat2d_grid {
 public:
  explicit heat2d_grid(std::size_t n) : n_(n), states_{buffer<float>(n * row()), buffer<float>(n * row())} {}

  rectangle whole() const { return {0, n_, 0, n_}; }

  /// Sets a part of both states to the initial state.
  void fill(rectangle part) {
    for (std::size_t i = part.top; i != part.bottom; ++i)
      for (std::size_t j = part.left; j != part.right; ++j)
        states_[0][i * row() + j] = states_[1][i * row() + j] = static_cast<float>(mix(i * n_ + j) >> 40) * 0x1p-24f;
  }

  /// Declares what fill(part) writes.
  void declare_fill(rectangle part) const {
    for (const buffer<float>& state : states_)
      jackdaw::writes(state.data() + part.top * row() + part.left, part.height(), part.right - part.left, row());
  }

  /// Declares what step(t, part) reads and writes: the border of the grid keeps its values, but is read.
  void declare_step(unsigned t, rectangle part) const {
    const std::size_t top = std::max<std::size_t>(part.top, 1), bottom = std::min(part.bottom, n_ - 1);
    const std::size_t left = std::max<std::size_t>(part.left, 1), right = std::min(part.right, n_ - 1);
    if (top >= bottom || left >= right) return;
    const std::size_t height = bottom - top, width = right - left;
    const float* const in = states_[t % 2].data() + top * row() + left;
    jackdaw::reads(in, height, width, row());
    jackdaw::reads(in - row(), width);
    jackdaw::reads(in + height * row(), width);
    jackdaw::reads(in - 1, height, 1, row());
    jackdaw::reads(in + width, height, 1, row());
    jackdaw::writes(states_[(t + 1) % 2].data() + top * row() + left, height, width, row());
  }

  /// Makes step t of a part.
  void step(unsigned t, rectangle part) {
    jackdaw_heat2d_leaf(states_[t % 2].data(), states_[(t + 1) % 2].data(), n_, row(), part.top, part.bottom, part.left,
                        part.right);
  }

  /// A number that changes with every bit of the state before step t.
  std::uint64_t fingerprint(unsigned t) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i != n_; ++i)
      for (std::size_t j = 0; j != n_; ++j)
        sum += mix((i * n_ + j) << 32 | std::bit_cast<std::uint32_t>(states_[t % 2][i * row() + j]));
    return sum;
  }

 private:
  std::size_t n_;
  std::array<buffer<float>, 2> states_;

  /// One cache line of padding keeps neighbouring rows out of each other's cache sets.
  std::size_t row() const { return n_ + 64 / sizeof(float); }
};

/// Heat spreading over a square, step by step (Jacobi, 5-point stencil). Memory-bound and iterative: it is fast if each
/// worker updates the same cells in every step.
class heat2d_problem : public problem {
 public:
  /// One task handles a block of this many rows and columns.
  static constexpr std::size_t cutoff = 64;

  explicit heat2d_problem(const request& wanted) : heat2d_problem(wanted, size_of(wanted)) {}

  void prepare() override { grid.fill(grid.whole()); }

  /// Compares every bit with a serial run.
  void check() override {
    if (!expected_) {
      heat2d_grid other(n);
      other.fill(other.whole());
      for (unsigned t = 0; t != iterations; ++t) other.step(t, other.whole());
      expected_ = other.fingerprint(iterations);
    }
    if (grid.fingerprint(iterations) != *expected_) throw check_failed("the grid differs from what a serial run gives");
  }

  double items() const override { return static_cast<double>(n) * static_cast<double>(n) * iterations; }
  std::string_view unit() const override { return "cell updates"; }

 protected:
  const std::size_t n;
  const unsigned iterations;
  const heat2d_shape shape;
  const heat2d_hints hints;
  heat2d_grid grid;

 private:
  std::optional<std::uint64_t> expected_;

  heat2d_problem(const request& wanted, heat2d_size size)
      : n(size.n),
        iterations(wanted.iterations != 0 ? wanted.iterations : size.iterations),
        shape(choose(heat2d_shapes, "heat2d", "shape", wanted.shape)),
        hints(wanted.hints),
        grid(n) {
    if (!wanted.hints.empty() && shape != heat2d_shape::blocks)
      throw error("heat2d: work hints are for shape 'blocks', expected no hints with another one");
  }

  static heat2d_size size_of(const request& wanted) { return choose(heat2d_sizes, "heat2d", "size", wanted.size); }
};

}  // namespace jackdaw::kernels
