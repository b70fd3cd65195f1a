#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/even_loop.hpp"
#include "jackdaw/detail/algorithm/loop_tree.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/error.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {

template <class I>
concept loop_index = std::integral<I> && !std::same_as<std::remove_cv_t<I>, bool>;

template <loop_index I>
std::size_t distance_between(I first, I last) {
  using unsigned_index = std::make_unsigned_t<I>;
  return first < last
             ? static_cast<unsigned_index>(static_cast<unsigned_index>(last) - static_cast<unsigned_index>(first))
             : 0;
}

/// [n_first, n_last) in the integers that f is called with. Where one is signed and the other is not, these are of the
/// unsigned type, so a loop that begins below 0 cannot be had.
template <loop_index I, loop_index J>
std::pair<std::common_type_t<I, J>, std::common_type_t<I, J>> common_range(I n_first, J n_last) {
  using index = std::common_type_t<I, J>;
  if constexpr (std::is_signed_v<I> && std::is_unsigned_v<index>) {
    if (n_first < 0) {
      detail::throw_error("a loop from " + std::to_string(n_first) + " to an unsigned number, expected a signed one");
    }
  } else if constexpr (std::is_signed_v<J> && std::is_unsigned_v<index>) {
    if (n_last < 0) return {0, 0};
  }
  return {static_cast<index>(n_first), static_cast<index>(n_last)};
}

template <loop_index I>
I advance_by(I first, std::size_t offset) {
  using unsigned_index = std::make_unsigned_t<I>;
  return static_cast<I>(static_cast<unsigned_index>(static_cast<unsigned_index>(first) + offset));
}

/// `leaf(first, last)` over offsets into [0, count), split as the options say.
template <class Leaf, class W>
void loop_over(std::size_t count, Leaf&& leaf, loop_options<W>& options) {
  if (count == 0) return;
  // The number of workers is asked only if it matters: a loop with a grain may be a few instructions long.
  const std::size_t leaves = options.grain_size == 0 ? leaves_by_workers() : 1;
  const std::size_t size = leaf_size(count, options.grain_size, leaves);
  if constexpr (std::is_same_v<W, no_weight>) {
    even_loop<Leaf>(size, leaf).run(0, count);
  } else {
    loop_tree<W> tree(count, size, options.weigh);
    if (options.grain_size == 0) tree.balance(leaves);
    for_leaves(tree, tree.root(), leaf);
  }
}

/// `block(first, last)` over [first, last); the block is a few references, which are copied to where they are used.
template <class Index, class Block, class... Options>
void loop_over_indices(Index first, Index last, Block block, const Options&... options) {
  auto leaf = [block, first](std::size_t from, std::size_t to) {
    block(advance_by(first, from), advance_by(first, to));
  };
  const std::size_t count = distance_between(first, last);
  auto collected = collect(options...);
  if constexpr (std::is_same_v<decltype(collected.weigh), no_weight>) {
    loop_over(count, std::move(leaf), collected);
  } else {
    auto weigh = [&](std::size_t from, std::size_t to) {
      return static_cast<double>(collected.weigh(advance_by(first, from), advance_by(first, to)));
    };
    loop_options<decltype(weigh)> by_offset{collected.grain_size, weigh};
    loop_over(count, std::move(leaf), by_offset);
  }
}

}  // namespace detail

/// Calls `f(first, last)` in parallel for blocks of consecutive integers that together make up [n_first, n_last).
///
/// On one worker the blocks run in ascending order. Outside of tasks the loop runs in runtime::instance().
///
/// @param n_first The first integer.
/// @param n_last The integer after the last one. The range is empty if `n_first >= n_last`.
/// @param f The body. It is never copied; several workers call it at the same time.
/// @param options A grain, which is the most integers of a block, and a work_of.
/// @throws error if `n_first` is negative and the common type of both bounds is unsigned.
/// @throws anything that `f` throws; of several exceptions the first, once no block runs any more. Blocks that have not
/// started by then are skipped. Outside of tasks also what runtime::instance() throws.
/// @par Complexity
/// For n integers and grain g: work O(n), span O(g + log(n/g)), counting the integers that blocks consist of.
template <detail::loop_index I, detail::loop_index J, class F, loop_option... Options>
  requires std::invocable<F&, std::common_type_t<I, J>, std::common_type_t<I, J>>
void for_range(I n_first, J n_last, F&& f, const Options&... options) {
  using index = std::common_type_t<I, J>;
  const auto block = [&f](index first, index last) { std::invoke(f, first, last); };
  const auto [begin, end] = detail::common_range(n_first, n_last);
  detail::loop_over_indices(begin, end, block, options...);
}

/// Calls `f(i)` in parallel for each integer of [n_first, n_last).
///
/// On one worker the integers come in ascending order. Outside of tasks the loop runs in runtime::instance().
///
///     jackdaw::for_index(0, n, [&](int i) { y[i] += a * x[i]; });
///
/// @param n_first The first integer.
/// @param n_last The integer after the last one. The range is empty if `n_first >= n_last`.
/// @param f The body. It is never copied; several workers call it at the same time.
/// @param options A grain and a work_of.
/// @throws error if `n_first` is negative and the common type of both bounds is unsigned.
/// @throws anything that `f` throws; of several exceptions the first, once no leaf runs any more. Leaves that have not
/// started by then are skipped. Outside of tasks also what runtime::instance() throws.
/// @par Complexity
/// For n integers and grain g: work O(n), span O(g + log(n/g)), counting calls of `f`.
template <detail::loop_index I, detail::loop_index J, class F, loop_option... Options>
  requires std::invocable<F&, std::common_type_t<I, J>>
void for_index(I n_first, J n_last, F&& f, const Options&... options) {
  using index = std::common_type_t<I, J>;
  detail::pieces pieces;
  const auto block = [&f, &pieces](index first, index last) {
    pieces.run(detail::distance_between(first, last), [&f, first](std::size_t from, std::size_t to) {
      const index end = detail::advance_by(first, to);
      for (index i = detail::advance_by(first, from); i != end; ++i) std::invoke(f, i);
    });
  };
  const auto [begin, end] = detail::common_range(n_first, n_last);
  detail::loop_over_indices(begin, end, block, options...);
}

/// Calls `f(*it)` in parallel for each iterator of [first, last); otherwise as for_index().
///
/// Over contiguous iterators each leaf declares its elements as read, and as written unless they are constant.
///
/// @param first The beginning of the range.
/// @param last The end of the range.
/// @param f The body. It is never copied; several workers call it at the same time.
/// @param options A grain and a work_of.
/// @throws anything that `f` throws; of several exceptions the first, once no leaf runs any more. Leaves that have not
/// started by then are skipped. Outside of tasks also what runtime::instance() throws.
/// @par Complexity
/// For n elements and grain g: work O(n), span O(g + log(n/g)), counting calls of `f`.
template <std::random_access_iterator It, class F, loop_option... Options>
  requires std::invocable<F&, std::iter_reference_t<It>>
void for_each(It first, It last, F&& f, const Options&... options) {
  using difference = std::iter_difference_t<It>;
  detail::pieces pieces;
  auto block = [&](std::size_t from, std::size_t to) {
    const It begin = first + static_cast<difference>(from);
    detail::declare_uses(begin, first + static_cast<difference>(to));
    pieces.run(to - from, [&f, &begin](std::size_t done, std::size_t until) {
      It it = begin + static_cast<difference>(done);
      for (const It end = begin + static_cast<difference>(until); it != end; ++it) std::invoke(f, *it);
    });
  };
  jackdaw::for_range(std::size_t{0}, static_cast<std::size_t>(last - first), block, options...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
