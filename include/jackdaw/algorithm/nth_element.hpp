#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "jackdaw/algorithm/sort.hpp"
#include "jackdaw/detail/algorithm/sort_quick.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Moves the element that would be at `nth` if [first, last) were sorted to that place. No element before it is greater
/// than any behind it.
///
/// The range is partitioned as by sort(), but only the part with the place is partitioned further.
///
/// @param first The beginning of the range. The value type need only be movable.
/// @param nth The place, in [first, last]. If it is the end, nothing happens.
/// @param last The end of the range, an iterator or a sentinel.
/// @param less A strict weak order. Several workers call it at the same time.
/// @param tail A projection, which turns an element into what is compared. A std::stop_token is looked at
/// before anything is changed; a grain and a work_of have no effect.
/// @throws anything that `less` throws. The range is then a permutation of what it was, if moves do not throw.
/// @throws std::bad_alloc if there is no memory for a shared partition. The range is then a permutation as well.
/// @par Complexity
/// For n elements and P workers: expected work O(n) and span O(n/P + log² n), work O(n log n) in the worst case.
template <detail::sortable_in_place It, class S, class Less = std::ranges::less, class... Tail>
  requires(detail::bounds<It, S> && !loop_option<Less> && detail::tail_of<1, Tail...>)
void nth_element(It first, It nth, S last, Less less, const Tail&... tail) {
  auto before = detail::with_projection(std::move(less), detail::projection<0>(tail...));
  static_assert(detail::check_less<It, decltype(before)>());
  static_cast<void>(detail::collect(tail...));
  const auto count = static_cast<std::size_t>(last - first);
  const auto begin = detail::as_pointer(first);
  const auto end = detail::at_offset(begin, count);
  auto hint = [](std::size_t from, std::size_t to) { return static_cast<double>(to - from); };
  detail::quick_sorter selector(begin, end, count, before, hint);
  selector.select(begin, begin + (nth - first), end, detail::bad_steps_allowed(count));
}

/// Moves the element that would be at `nth` in ascending order to that place; otherwise as the nth_element() with a
/// comparison.
template <detail::sortable_in_place It, class S, loop_option... Options>
  requires detail::bounds<It, S>
void nth_element(It first, It nth, S last, const Options&... options) {
  jackdaw::nth_element(first, nth, last, std::less<>{}, options...);
}

/// Moves the element of a range that would be at `nth` if the range were sorted to that place; otherwise as the
/// nth_element() over iterators.
template <detail::loop_range R, class Less = std::ranges::less, class... Tail>
  requires(detail::sortable_in_place<std::ranges::iterator_t<R>> && !loop_option<Less> && detail::tail_of<1, Tail...>)
void nth_element(R&& range, std::ranges::iterator_t<R> nth, Less less, const Tail&... tail) {
  jackdaw::nth_element(std::ranges::begin(range), nth, detail::last_of(range), std::move(less), tail...);
}

/// Moves the element of a range that would be at `nth` in ascending order to that place; otherwise as the nth_element()
/// over iterators.
template <detail::loop_range R, loop_option... Options>
  requires detail::sortable_in_place<std::ranges::iterator_t<R>>
void nth_element(R&& range, std::ranges::iterator_t<R> nth, const Options&... options) {
  jackdaw::nth_element(std::ranges::begin(range), nth, detail::last_of(range), options...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
