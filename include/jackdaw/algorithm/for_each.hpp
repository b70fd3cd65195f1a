#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/loop_over.hpp"
#include "jackdaw/detail/algorithm/loop_tree.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/algorithm/walk.hpp"
#include "jackdaw/detail/callable.hpp"
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

/// What a loop from an I to a J counts in: their common type, or std::int64_t if that one is unsigned, and shorter, and
/// one of the bounds is signed.
template <loop_index I, loop_index J>
using index_of =
    std::conditional_t<std::is_unsigned_v<std::common_type_t<I, J>> && (std::is_signed_v<I> || std::is_signed_v<J>) &&
                           sizeof(std::common_type_t<I, J>) < sizeof(std::int64_t),
                       std::int64_t, std::common_type_t<I, J>>;

/// [n_first, n_last) in the integers that f is called with. No integer type has all those of a std::int64_t and of a
/// std::uint64_t, so a loop that begins below 0 cannot end at one of the latter.
template <loop_index I, loop_index J>
std::pair<index_of<I, J>, index_of<I, J>> common_range(I n_first, J n_last) {
  using index = index_of<I, J>;
  if constexpr (std::is_signed_v<I> && std::is_unsigned_v<index>) {
    if (n_first < 0) {
      detail::throw_error("a loop from " + std::to_string(n_first) +
                          " to an unsigned number of 64 bits, expected a signed one");
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

/// Calls `use(options)` with the options of a loop from `first` on, by offsets.
template <class Index, class Use, class... Options>
decltype(auto) with_offsets(Index first, Use&& use, const Options&... options) {
  auto collected = collect(options...);
  if constexpr (std::is_same_v<decltype(collected.weigh), no_weight>) {
    return use(collected);
  } else {
    auto weigh = [&](std::size_t from, std::size_t to) {
      return static_cast<double>(collected.weigh(advance_by(first, from), advance_by(first, to)));
    };
    loop_options<decltype(weigh)> by_offset{collected.grain_size, weigh};
    return use(by_offset);
  }
}

/// `block(first, last)` over [first, last); the block is a few references, which are copied to where they are used.
template <class Index, class Block, class... Options>
void loop_over_indices(Index first, Index last, Block block, const Options&... options) {
  auto leaf = [block, first](std::size_t from, std::size_t to) {
    block(advance_by(first, from), advance_by(first, to));
  };
  const std::size_t count = distance_between(first, last);
  with_offsets(first, [&](auto& by_offset) { loop_over(count, std::move(leaf), by_offset); }, options...);
}

}  // namespace detail

/// Calls `f(first, last)` in parallel for blocks of consecutive integers that together make up [n_first, n_last).
///
/// On one worker the blocks run in ascending order. Outside of tasks the loop runs in runtime::instance(), and may
/// begin with blocks of 1, 2, 4 and so on integers (docs/roots.md). The integers are of the common type of both bounds,
/// or std::int64_t if one bound is signed and the other is an `unsigned`.
///
/// @param n_first The first integer.
/// @param n_last The integer after the last one. The range is empty if `n_first >= n_last`.
/// @param f The body. It is never copied; several workers call it at the same time.
/// @param options A grain, which is the most integers of a block, and a work_of.
/// @throws error if `n_first` is negative and `n_last` is of an unsigned type of 64 bits.
/// @throws anything that `f` throws; of several exceptions the first, once no block runs any more. Blocks that have not
/// started by then are skipped. Outside of tasks also what runtime::instance() throws.
/// @par Complexity
/// For n integers and grain g: work O(n), span O(g + log(n/g)), counting the integers that blocks consist of.
template <detail::loop_index I, detail::loop_index J, class F, loop_option... Options>
  requires std::invocable<F&, detail::index_of<I, J>, detail::index_of<I, J>>
void for_range(I n_first, J n_last, F&& f, const Options&... options) {
  using index = detail::index_of<I, J>;
  const auto block = [&f](index first, index last) { std::invoke(f, first, last); };
  const auto [begin, end] = detail::common_range(n_first, n_last);
  if constexpr (detail::can_be_stopped<Options...>) {
    const auto guarded = [&block, stop = detail::stop_of(options...)](index first, index last) {
      detail::throw_if_stopped(*stop);
      block(first, last);
    };
    detail::loop_over_indices(begin, end, guarded, options...);
  } else {
    detail::loop_over_indices(begin, end, block, options...);
  }
}

/// Calls `f(i)` in parallel for each integer of [n_first, n_last).
///
/// On one worker the integers come in ascending order. Outside of tasks the loop runs in runtime::instance(). The
/// integers are of the common type of both bounds, or std::int64_t if one bound is signed and the other is an
/// `unsigned`.
///
///     jackdaw::for_index(0, n, [&](int i) { y[i] += a * x[i]; });
///
/// @param n_first The first integer.
/// @param n_last The integer after the last one. The range is empty if `n_first >= n_last`.
/// @param f The body. It is never copied; several workers call it at the same time.
/// @param options A grain, a work_of and a std::stop_token.
/// @throws error if `n_first` is negative and `n_last` is of an unsigned type of 64 bits.
/// @throws anything that `f` throws; of several exceptions the first, once no leaf runs any more. Leaves that have not
/// started by then are skipped. Outside of tasks also what runtime::instance() throws.
/// @par Complexity
/// For n integers and grain g: work O(n), span O(g + log(n/g)), counting calls of `f`.
template <detail::loop_index I, detail::loop_index J, class F, loop_option... Options>
  requires std::invocable<F&, detail::index_of<I, J>>
void for_index(I n_first, J n_last, F&& f, const Options&... options) {
  using index = detail::index_of<I, J>;
  detail::pieces pieces(detail::stop_of(options...));
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
/// @param last The end of the range, an iterator or a sentinel whose distance from `first` takes constant time.
/// @param f The body. It is never copied; several workers call it at the same time.
/// @param tail A projection, which turns an element into what `f` is called with; a grain, a work_of and a
/// std::stop_token. Each may be left out.
/// @throws anything that `f` throws; of several exceptions the first, once no leaf runs any more. Leaves that have not
/// started by then are skipped. Outside of tasks also what runtime::instance() throws.
/// @par Complexity
/// For n elements and grain g: work O(n), span O(g + log(n/g)), counting calls of `f`.
template <class It, class S, class F, class... Tail>
  requires(detail::bounds<It, S> && detail::takes_projected<F, std::iter_reference_t<It>, Tail...>)
void for_each(It first, S last, F&& f, const Tail&... tail) {
  static_assert(detail::check_visited<It>());
  auto projection = detail::projection<0>(tail...);
  const auto declare = [&](std::size_t from, std::size_t to) {
    detail::declare_uses(detail::at_offset(first, from), detail::at_offset(first, to));
  };
  const auto piece = [&](std::size_t from, std::size_t to) {
    It it = detail::at_offset(first, from);
    for (const It end = detail::at_offset(first, to); it != end; ++it) std::invoke(f, std::invoke(projection, *it));
  };
  detail::loop_in_pieces(static_cast<std::size_t>(last - first), declare, piece, detail::collect(tail...));
}

/// Calls `f(*it)` for the iterators of a range that is not random-access, such as a std::list or std::map; otherwise as
/// the for_each() over random-access iterators.
///
/// The calling thread first walks through the range, to find where leaves begin. This pays if `f` takes much longer
/// than a step of the iterator. Nothing is declared.
///
/// @param first The beginning of the range.
/// @param last The end of the range, an iterator or a sentinel.
/// @param f The body. It is never copied; several workers call it at the same time.
/// @param tail A projection; a grain, a work_of and a std::stop_token.
/// @throws std::bad_alloc if there is no memory for the iterators.
/// @par Complexity
/// The walk takes n steps of the iterator, and memory for n/g iterators, without a grain for at most 1024.
template <std::forward_iterator It, std::sentinel_for<It> S, class F, class... Tail>
  requires(!detail::bounds<It, S> && detail::takes_projected<F, std::iter_reference_t<It>, Tail...>)
void for_each(It first, S last, F&& f, const Tail&... tail) {
  static_assert(detail::check_visited<It>());
  auto projection = detail::projection<0>(tail...);
  auto options = detail::collect(tail...);
  const detail::walk<It> walked(std::move(first), last, options.grain_size);
  detail::pieces cut(options.stop);
  auto leaf = [&](std::size_t from, std::size_t to) {
    It it = walked.start_of(from);
    cut.run(walked.elements_in(from, to), [&](std::size_t done, std::size_t until) {
      for (; done != until; ++done, ++it) std::invoke(f, std::invoke(projection, *it));
    });
  };
  walked.for_blocks(leaf, options);
}

/// Calls `f` in parallel for each element of a range; otherwise as the for_each() over iterators.
///
/// @param range The range. Random-access ranges that know their size are not walked through.
/// @param f The body. It is never copied; several workers call it at the same time.
/// @param tail A projection; a grain, a work_of and a std::stop_token.
template <std::ranges::forward_range R, class F, class... Tail>
  requires(detail::takes_projected<F, std::ranges::range_reference_t<R>, Tail...>)
void for_each(R&& range, F&& f, const Tail&... tail) {
  if constexpr (detail::loop_range<R>)
    jackdaw::for_each(std::ranges::begin(range), detail::last_of(range), f, tail...);
  else
    jackdaw::for_each(std::ranges::begin(range), std::ranges::end(range), f, tail...);
}

/// Calls `f(*it)` in parallel for the first `n` iterators from `first` on; otherwise as for_each().
///
/// @param first The beginning of the range.
/// @param n The number of elements; none if it is negative.
/// @param f The body. It is never copied; several workers call it at the same time.
/// @param tail A projection; a grain, a work_of and a std::stop_token.
/// @return The end of the elements.
template <std::random_access_iterator It, class F, class... Tail>
  requires(detail::takes_projected<F, std::iter_reference_t<It>, Tail...>)
It for_each_n(It first, std::iter_difference_t<It> n, F&& f, const Tail&... tail) {
  const It last = n > 0 ? first + n : first;
  jackdaw::for_each(first, last, f, tail...);
  return last;
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
