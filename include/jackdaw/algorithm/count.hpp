#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "jackdaw/algorithm/reduce.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Returns the number of elements of [first, last) that `pred` accepts.
///
/// Over contiguous iterators each leaf declares its elements as read.
///
/// @param first The beginning of the range.
/// @param last The end of the range, an iterator or a sentinel.
/// @param pred The predicate. It is called once for each element, by several workers at the same time.
/// @param tail A projection, which turns an element into what `pred` is called with; a grain, a work_of and a
/// std::stop_token.
/// @throws anything that `pred` throws, as for_index() does.
/// @par Complexity
/// For n elements and grain g: work O(n), span O(g + log(n/g)), counting calls of `pred`.
template <class It, class S, class Pred, class... Tail>
  requires(detail::bounds<It, S> && detail::judges_projected<Pred, std::iter_reference_t<It>, Tail...>)
std::iter_difference_t<It> count_if(It first, S last, Pred pred, const Tail&... tail) {
  using difference = std::iter_difference_t<It>;
  auto projection = detail::projection<0>(tail...);
  auto value = [&](std::size_t i) -> difference {
    return std::invoke(pred, std::invoke(projection, first[static_cast<difference>(i)])) ? 1 : 0;
  };
  auto declare = [&](std::size_t from, std::size_t to) { detail::declare_reads(first, from, to); };
  std::plus<> plus;
  return detail::reduce_values(static_cast<std::size_t>(last - first), difference{0}, plus, value, declare,
                               detail::collect(tail...));
}

/// Returns the number of elements of a range that `pred` accepts; otherwise as the count_if() over iterators.
template <detail::loop_range R, class Pred, class... Tail>
  requires detail::judges_projected<Pred, std::ranges::range_reference_t<R>, Tail...>
std::ranges::range_difference_t<R> count_if(R&& range, Pred pred, const Tail&... tail) {
  return jackdaw::count_if(std::ranges::begin(range), detail::last_of(range), std::move(pred), tail...);
}

/// Returns the number of elements of [first, last) that equal `value`; otherwise as count_if().
template <class It, class S, class T, class... Tail>
  requires(detail::bounds<It, S> && detail::equals_projected<T, std::iter_reference_t<It>, Tail...>)
std::iter_difference_t<It> count(It first, S last, const T& value, const Tail&... tail) {
  return jackdaw::count_if(first, last, detail::equal_to{value}, tail...);
}

/// Returns the number of elements of a range that equal `value`; otherwise as count_if().
template <detail::loop_range R, class T, class... Tail>
  requires detail::equals_projected<T, std::ranges::range_reference_t<R>, Tail...>
std::ranges::range_difference_t<R> count(R&& range, const T& value, const Tail&... tail) {
  return jackdaw::count_if(std::ranges::begin(range), detail::last_of(range), detail::equal_to{value}, tail...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
