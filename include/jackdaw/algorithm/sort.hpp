#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/algorithm/sort_merge.hpp"
#include "jackdaw/detail/algorithm/sort_quick.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {

/// Parts shorter than this are not worth a fork unless the user says so.
inline constexpr std::size_t least_sort_leaf = 1024;

template <class T>
std::size_t sort_leaf_size(std::size_t count, std::size_t asked) {
  const std::size_t wanted = asked != 0 ? asked : std::max(least_sort_leaf, leaf_size(count, 0, leaves_by_workers()));
  return std::max<std::size_t>(wanted, most_small<T>);
}

/// Whether `holds(x, y)` for all neighbours; looks at little of a range where it soon does not.
template <class It, class Holds>
bool all_neighbours(It first, std::size_t count, std::size_t leaf, Holds&& holds) {
  std::atomic<bool> all = true;
  pieces cut;
  for_pieces(count - 1, leaf, [&](std::size_t begin, std::size_t end) {
    bool until_here = true;
    cut.run(end - begin, [&](std::size_t from, std::size_t to) {
      It it = first + static_cast<std::iter_difference_t<It>>(begin + from);
      for (; until_here && from != to; ++from, ++it) until_here = holds(*it, *(it + 1));
      return until_here;
    });
    if (!until_here) all.store(false, std::memory_order_relaxed);
  });
  return all.load(std::memory_order_relaxed);
}

/// Deals with ranges that are sorted, or strictly descending: whether it was one.
template <class It, class Less>
bool sort_monotonic(It first, std::size_t count, std::size_t leaf, Less& less) {
  using difference = std::iter_difference_t<It>;
  if (!less(*(first + 1), *first))
    return all_neighbours(first, count, leaf, [&](const auto& x, const auto& y) { return !less(y, x); });
  if (!all_neighbours(first, count, leaf, [&](const auto& x, const auto& y) -> bool { return less(y, x); }))
    return false;
  for_pieces(count / 2, leaf, [&](std::size_t from, std::size_t to) {
    for (; from != to; ++from)
      std::iter_swap(first + static_cast<difference>(from), first + static_cast<difference>(count - 1 - from));
  });
  return true;
}

/// Calls `sort(begin, count, leaf, hint)` for a range that is not sorted otherwise: it has several elements, and is
/// neither in order nor strictly descending. `begin` is a pointer if the range is contiguous, `leaf` is the most
/// elements to sort serially, and `hint` tells the work of parts, by offsets.
template <class It, class Less, class W, class Sort>
void sort_unless_monotonic(It first, std::size_t count, Less& less, loop_options<W>& options, Sort&& sort) {
  if (count < 2) return;
  const std::size_t leaf = sort_leaf_size<std::iter_value_t<It>>(count, options.grain_size);
  const auto begin = as_pointer(first);
  if (sort_monotonic(begin, count, leaf, less)) return;
  if constexpr (std::is_same_v<W, no_weight>) {
    auto hint = [](std::size_t from, std::size_t to) { return static_cast<double>(to - from); };
    sort(begin, count, leaf, hint);
  } else {
    auto hint = [&](std::size_t from, std::size_t to) {
      const auto w = static_cast<double>(options.weigh(from, to));
      return w > 0 ? w : 0;
    };
    sort(begin, count, leaf, hint);
  }
}

template <class It>
concept sortable_in_place = std::random_access_iterator<It> && std::is_lvalue_reference_v<std::iter_reference_t<It>> &&
                            std::movable<std::iter_value_t<It>>;

}  // namespace detail

/// Sorts [first, last) in place by a parallel quicksort. Equal elements end up in any order.
///
/// docs/algorithms.md describes the algorithm and compares it with others.
///
/// @param first The beginning of the range. The value type need only be movable.
/// @param last The end of the range, an iterator or a sentinel.
/// @param less A strict weak order. Several workers call it at the same time.
/// @param tail A projection, which turns an element into what is compared; a grain, which is the most elements that are
/// sorted serially, and a work_of, which is only a hint to the scheduler.
/// @throws anything that `less` throws. The range is then a permutation of what it was, if moves do not throw.
/// @throws std::bad_alloc if there is no memory for a shared partition. The range is then a permutation as well.
/// @par Complexity
/// For n elements, P workers and grain g: work O(n log n) in the worst case; expected span O(n/P + g log g + log² n);
/// memory for O(P) bounds of chunks. A sorted or strictly descending range takes work O(n).
template <detail::sortable_in_place It, class S, class Less = std::ranges::less, class... Tail>
  requires(detail::bounds<It, S> && !loop_option<Less> && detail::tail_of<1, Tail...>)
void sort(It first, S last, Less less, const Tail&... tail) {
  auto before = detail::with_projection(std::move(less), detail::projection<0>(tail...));
  static_assert(detail::check_less<It, decltype(before)>());
  auto options = detail::collect(tail...);
  const auto by_parts = [&](auto begin, std::size_t count, std::size_t leaf, auto& hint) {
    const auto end = begin + static_cast<std::iter_difference_t<It>>(count);
    detail::quick_sorter sorter(begin, end, leaf, before, hint);
    sorter.sort(begin, end, true, detail::bad_steps_allowed(count));
  };
  detail::sort_unless_monotonic(first, static_cast<std::size_t>(last - first), before, options, by_parts);
}

/// Sorts [first, last) in ascending order; otherwise as the sort() with a comparison.
template <detail::sortable_in_place It, class S, loop_option... Options>
  requires detail::bounds<It, S>
void sort(It first, S last, const Options&... options) {
  jackdaw::sort(first, last, std::less<>{}, options...);
}

/// Sorts a range; otherwise as the sort() over iterators.
///
/// @param range The range.
/// @param less A strict weak order.
/// @param tail A projection; a grain, a work_of and a std::stop_token.
template <detail::loop_range R, class Less = std::ranges::less, class... Tail>
  requires(detail::sortable_in_place<std::ranges::iterator_t<R>> && !loop_option<Less> && detail::tail_of<1, Tail...>)
void sort(R&& range, Less less, const Tail&... tail) {
  jackdaw::sort(std::ranges::begin(range), detail::last_of(range), std::move(less), tail...);
}

/// Sorts a range in ascending order; otherwise as the sort() over iterators.
template <detail::loop_range R, loop_option... Options>
  requires detail::sortable_in_place<std::ranges::iterator_t<R>>
void sort(R&& range, const Options&... options) {
  jackdaw::sort(std::ranges::begin(range), detail::last_of(range), options...);
}

/// Sorts [first, last) by a parallel merge sort. Equal elements keep their order.
///
/// If moves of the value type may throw, the sort first finds the order of the elements and then moves them serially.
///
/// @param first The beginning of the range. The value type need only be movable.
/// @param last The end of the range, an iterator or a sentinel.
/// @param less A strict weak order. Several workers call it at the same time.
/// @param tail A projection, which turns an element into what is compared; a grain, which is the most elements that are
/// sorted serially, and a work_of, which is only a hint to the scheduler.
/// @throws anything that `less` throws. The range is then a permutation of what it was, if moves do not throw.
/// @throws std::bad_alloc if there is no memory for the buffer. The range is then unchanged.
/// @par Complexity
/// For n elements and grain g: work O(n log n), span O(g log g + log³ n), memory for n elements. If moves may throw,
/// the memory is for 2n indices, and the moves add O(n) to the span. A sorted or strictly descending range takes work
/// O(n).
template <detail::sortable_in_place It, class S, class Less = std::ranges::less, class... Tail>
  requires(detail::bounds<It, S> && !loop_option<Less> && detail::tail_of<1, Tail...>)
void stable_sort(It first, S last, Less less, const Tail&... tail) {
  auto before = detail::with_projection(std::move(less), detail::projection<0>(tail...));
  static_assert(detail::check_less<It, decltype(before)>());
  using value = std::iter_value_t<It>;
  auto options = detail::collect(tail...);
  const auto by_parts = [&](auto begin, std::size_t count, std::size_t leaf, auto& hint) {
    if constexpr (std::is_nothrow_move_constructible_v<value> && std::is_nothrow_move_assignable_v<value>) {
      detail::merge_sorter sorter(begin, count, leaf, before, hint);
      sorter.sort();
    } else {
      detail::sort_places(begin, count, leaf, before, hint);
    }
  };
  detail::sort_unless_monotonic(first, static_cast<std::size_t>(last - first), before, options, by_parts);
}

/// Sorts [first, last) in ascending order; otherwise as the stable_sort() with a comparison.
template <detail::sortable_in_place It, class S, loop_option... Options>
  requires detail::bounds<It, S>
void stable_sort(It first, S last, const Options&... options) {
  jackdaw::stable_sort(first, last, std::less<>{}, options...);
}

/// Sorts a range; otherwise as the stable_sort() over iterators.
///
/// @param range The range.
/// @param less A strict weak order.
/// @param tail A projection; a grain, a work_of and a std::stop_token.
template <detail::loop_range R, class Less = std::ranges::less, class... Tail>
  requires(detail::sortable_in_place<std::ranges::iterator_t<R>> && !loop_option<Less> && detail::tail_of<1, Tail...>)
void stable_sort(R&& range, Less less, const Tail&... tail) {
  jackdaw::stable_sort(std::ranges::begin(range), detail::last_of(range), std::move(less), tail...);
}

/// Sorts a range in ascending order; otherwise as the stable_sort() over iterators.
template <detail::loop_range R, loop_option... Options>
  requires detail::sortable_in_place<std::ranges::iterator_t<R>>
void stable_sort(R&& range, const Options&... options) {
  jackdaw::stable_sort(std::ranges::begin(range), detail::last_of(range), options...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
