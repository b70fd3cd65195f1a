#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <utility>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/control_word.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/invoke.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// What a program can halve itself, for for_parts(): a range of a tree's nodes, of a file's bytes, of a mesh's cells.
///
/// - `part.divisible()` returns whether `part` is worth halving.
/// - `part.split()` takes the second half off a divisible `part` and returns it.
/// - `part.work()`, which may be left out, returns the work of `part` in any unit, at least 0, as work() takes it.
///
/// for_parts() calls `split` of one part at a time from one worker, and the other functions of constant parts.
template <class P>
concept splittable = std::movable<P> && requires(P& part, const P& constant) {
  { constant.divisible() } -> std::convertible_to<bool>;
  { part.split() } -> std::same_as<P>;
};

namespace detail {

template <class P>
concept weighted_part = requires(const P& part) {
  { part.work() } -> std::convertible_to<double>;
};

template <class P, class F>
void run_parts(P part, F& f, const control_word& control = {});

/// A second half; a thief runs it under the control word of the task that called for_parts().
template <class P, class F>
struct second_part {
  P& part;
  F& f;
  const control_word& word;
  void operator()() const { run_parts(std::move(part), f, word); }
  const control_word& control() const { return word; }
};

template <class P, class F>
void run_parts(P part, F& f, const control_word& control) {
  while (part.divisible()) {
    P second = part.split();
    const auto left = [&] { run_parts(std::move(part), f, control); };
    const second_part<P, F> right{second, f, control};
    if constexpr (weighted_part<P>) {
      const auto left_work = static_cast<double>(std::as_const(part).work());
      return jackdaw::invoke(jackdaw::work(left_work, left),
                             jackdaw::work(static_cast<double>(std::as_const(second).work()), right));
    } else {
      return jackdaw::invoke(left, right);
    }
  }
  std::invoke(f, std::as_const(part));
}

}  // namespace detail

/// Halves `all` until no part is divisible and calls `f(part)` for each part, in parallel.
///
/// On one worker a first half always comes before its second half.
///
/// @param all What to halve.
/// @param f The body, which is called with constant parts. It is never copied; several workers call it at the same
/// time.
/// @throws anything that `f` or a function of a part throws; of several exceptions the first, once no part runs any
/// more. Parts that have not started by then are skipped. Outside of tasks also what runtime::instance() throws.
/// @par Complexity
/// A fork for each part. The span is that of the deepest chain of splits.
template <splittable P, class F>
  requires std::invocable<F&, const P&>
void for_parts(P all, F&& f) {
  detail::run_parts(std::move(all), f);
}

/// A part of the points of D dimensions: those from first[d] to below last[d] in each dimension d.
template <std::size_t D>
struct block {
  std::array<std::size_t, D> first{};  ///< The least index in each dimension.
  std::array<std::size_t, D> last{};   ///< The index after the greatest one in each dimension.

  /// The number of indices in dimension `d`.
  constexpr std::size_t size(std::size_t d) const noexcept { return first[d] < last[d] ? last[d] - first[d] : 0; }
  /// The number of points.
  constexpr std::size_t points() const noexcept {
    std::size_t all = 1;
    for (std::size_t d = 0; d != D; ++d) all *= size(d);
    return all;
  }
  /// Whether both have the same bounds.
  bool operator==(const block&) const = default;
};

namespace detail {

/// A block that is halved between whole blocks of `most`, across the dimension that has the most of these.
template <std::size_t D>
class divided_block {
 public:
  divided_block(const block<D>& all, const std::array<std::size_t, D>& most) : all_(all), most_(most) {}

  bool divisible() const { return blocks_in(longest()) > 1; }

  divided_block split() {
    const std::size_t d = longest();
    divided_block second = *this;
    second.all_.first[d] = all_.first[d] + blocks_in(d) / 2 * most_[d];
    all_.last[d] = second.all_.first[d];
    return second;
  }

  double work() const { return static_cast<double>(all_.points()); }

  const block<D>& points() const { return all_; }

 private:
  std::size_t blocks_in(std::size_t d) const { return all_.size(d) / most_[d] + (all_.size(d) % most_[d] != 0); }
  std::size_t longest() const {
    std::size_t best = 0;
    for (std::size_t d = 1; d != D; ++d)
      if (blocks_in(d) > blocks_in(best)) best = d;
    return best;
  }

  block<D> all_;
  std::array<std::size_t, D> most_;
};

}  // namespace detail

/// Calls `f(part)` in parallel for blocks that together make up all points of D dimensions.
///
/// The points are halved across the dimension with the most blocks, so that parts stay compact. All blocks but those at
/// the far ends are of the given size.
///
///     jackdaw::for_blocks(jackdaw::block<2>{.last = {1000, 800}}, {64, 64}, [&](const jackdaw::block<2>& part) {
///       for (std::size_t row = part.first[0]; row != part.last[0]; ++row)
///         for (std::size_t column = part.first[1]; column != part.last[1]; ++column) cells[row * 800 + column] = 0;
///     });
///
/// @param all All points. None if it is empty in a dimension.
/// @param most The size of a block in each dimension, at least 1.
/// @param f The body. It is never copied; several workers call it at the same time.
/// @throws error if a size of `most` is 0.
/// @throws anything that `f` throws, as for_parts() does.
/// @par Complexity
/// For k blocks: work O(k), span O(log k), counting calls of `f`.
template <std::size_t D, class F>
  requires(D > 0 && std::invocable<F&, const block<D>&>)
void for_blocks(const block<D>& all, const std::array<std::size_t, D>& most, F&& f) {
  for (const std::size_t each : most)
    if (each == 0) detail::throw_error("for_blocks: a block of size 0, expected at least 1");
  if (all.points() == 0) return;
  const detail::divided_block<D> divided(all, most);
  jackdaw::for_parts(divided, [&f](const detail::divided_block<D>& part) { std::invoke(f, part.points()); });
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
