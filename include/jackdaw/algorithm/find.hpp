#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/search.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Returns the first iterator of [first, last) whose element `pred` accepts, or the end.
///
/// Leaves behind a match that is known are skipped, and those that are running end within half a millisecond. `pred`
/// may have been called for elements behind the first match by then; an exception from such a call reaches the caller.
/// Over contiguous iterators each leaf that is searched declares its elements as read.
///
/// @param first The beginning of the range.
/// @param last The end of the range, an iterator or a sentinel.
/// @param pred The predicate. Several workers call it at the same time.
/// @param tail A projection, which turns an element into what `pred` is called with; a grain, a work_of and a
/// std::stop_token.
/// @return The first match, also if there are several; `first` advanced to `last` if there is none.
/// @throws anything that `pred` throws, as for_index() does.
/// @par Complexity
/// For n elements and grain g: at most n calls of `pred`, span O(g + log(n/g)). On one worker elements are looked at in
/// order, and few of those behind the match.
template <class It, class S, class Pred, class... Tail>
  requires(detail::bounds<It, S> && detail::judges_projected<Pred, std::iter_reference_t<It>, Tail...>)
It find_if(It first, S last, Pred pred, const Tail&... tail) {
  auto holds = detail::with_projection(std::ref(pred), detail::projection<0>(tail...));
  const auto count = static_cast<std::size_t>(last - first);
  return detail::at_offset(first,
                           detail::search<detail::wanted::the_first>(first, count, holds, detail::collect(tail...)));
}

/// Returns the first iterator of a range whose element `pred` accepts; otherwise as the find_if() over iterators.
template <detail::loop_range R, class Pred, class... Tail>
  requires(detail::judges_projected<Pred, std::ranges::range_reference_t<R>, Tail...>)
std::ranges::borrowed_iterator_t<R> find_if(R&& range, Pred pred, const Tail&... tail) {
  return jackdaw::find_if(std::ranges::begin(range), detail::last_of(range), std::move(pred), tail...);
}

/// Returns the first iterator of [first, last) whose element `pred` refuses, or the end; otherwise as find_if().
template <class It, class S, class Pred, class... Tail>
  requires(detail::bounds<It, S> && detail::judges_projected<Pred, std::iter_reference_t<It>, Tail...>)
It find_if_not(It first, S last, Pred pred, const Tail&... tail) {
  return jackdaw::find_if(first, last, std::not_fn(std::ref(pred)), tail...);
}

/// Returns the first iterator of a range whose element `pred` refuses; otherwise as find_if().
template <detail::loop_range R, class Pred, class... Tail>
  requires(detail::judges_projected<Pred, std::ranges::range_reference_t<R>, Tail...>)
std::ranges::borrowed_iterator_t<R> find_if_not(R&& range, Pred pred, const Tail&... tail) {
  return jackdaw::find_if_not(std::ranges::begin(range), detail::last_of(range), std::move(pred), tail...);
}

/// Returns the first iterator of [first, last) whose element equals `value`, or the end; otherwise as find_if().
template <class It, class S, class T, class... Tail>
  requires(detail::bounds<It, S> && detail::equals_projected<T, std::iter_reference_t<It>, Tail...>)
It find(It first, S last, const T& value, const Tail&... tail) {
  return jackdaw::find_if(first, last, detail::equal_to{value}, tail...);
}

/// Returns the first iterator of a range whose element equals `value`; otherwise as find_if().
template <detail::loop_range R, class T, class... Tail>
  requires(detail::equals_projected<T, std::ranges::range_reference_t<R>, Tail...>)
std::ranges::borrowed_iterator_t<R> find(R&& range, const T& value, const Tail&... tail) {
  return jackdaw::find_if(std::ranges::begin(range), detail::last_of(range), detail::equal_to{value}, tail...);
}

/// Returns whether `pred` accepts an element of [first, last); otherwise as find_if(). Any match ends the search.
template <class It, class S, class Pred, class... Tail>
  requires(detail::bounds<It, S> && detail::judges_projected<Pred, std::iter_reference_t<It>, Tail...>)
bool any_of(It first, S last, Pred pred, const Tail&... tail) {
  auto holds = detail::with_projection(std::ref(pred), detail::projection<0>(tail...));
  const auto count = static_cast<std::size_t>(last - first);
  return detail::search<detail::wanted::any>(first, count, holds, detail::collect(tail...)) != count;
}

/// Returns whether `pred` accepts all elements of [first, last); otherwise as any_of().
template <class It, class S, class Pred, class... Tail>
  requires(detail::bounds<It, S> && detail::judges_projected<Pred, std::iter_reference_t<It>, Tail...>)
bool all_of(It first, S last, Pred pred, const Tail&... tail) {
  return !jackdaw::any_of(first, last, std::not_fn(std::ref(pred)), tail...);
}

/// Returns whether `pred` accepts no element of [first, last); otherwise as any_of().
template <class It, class S, class Pred, class... Tail>
  requires(detail::bounds<It, S> && detail::judges_projected<Pred, std::iter_reference_t<It>, Tail...>)
bool none_of(It first, S last, Pred pred, const Tail&... tail) {
  return !jackdaw::any_of(first, last, std::move(pred), tail...);
}

/// Returns whether `pred` accepts an element of a range; otherwise as the any_of() over iterators.
template <detail::loop_range R, class Pred, class... Tail>
  requires(detail::judges_projected<Pred, std::ranges::range_reference_t<R>, Tail...>)
bool any_of(R&& range, Pred pred, const Tail&... tail) {
  return jackdaw::any_of(std::ranges::begin(range), detail::last_of(range), std::move(pred), tail...);
}

/// Returns whether `pred` accepts all elements of a range; otherwise as the any_of() over iterators.
template <detail::loop_range R, class Pred, class... Tail>
  requires(detail::judges_projected<Pred, std::ranges::range_reference_t<R>, Tail...>)
bool all_of(R&& range, Pred pred, const Tail&... tail) {
  return jackdaw::all_of(std::ranges::begin(range), detail::last_of(range), std::move(pred), tail...);
}

/// Returns whether `pred` accepts no element of a range; otherwise as the any_of() over iterators.
template <detail::loop_range R, class Pred, class... Tail>
  requires(detail::judges_projected<Pred, std::ranges::range_reference_t<R>, Tail...>)
bool none_of(R&& range, Pred pred, const Tail&... tail) {
  return jackdaw::none_of(std::ranges::begin(range), detail::last_of(range), std::move(pred), tail...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
