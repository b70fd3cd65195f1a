#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "jackdaw/algorithm/sort.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/algorithm/sort_quick.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Moves the elements of [first, last) that `pred` accepts before all others. Neither part keeps its order.
///
/// Over contiguous iterators each leaf declares its elements as read and written.
///
/// @param first The beginning of the range. The value type need only be movable.
/// @param last The end of the range, an iterator or a sentinel.
/// @param pred The predicate, which takes constant elements. It is called once for each element, by several workers at
/// the same time.
/// @param tail A projection, which turns an element into what `pred` is called with; a grain. A work_of has no effect.
/// @return The end of the accepted elements.
/// @throws anything that `pred` throws. The range is then a permutation of what it was, if moves do not throw.
/// @throws std::bad_alloc if there is no memory for the bounds of chunks. The range is then a permutation as well.
/// @par Complexity
/// For n elements and grain g: n calls of `pred`, O(n) moves, span O(g + n/g), memory for n/g bounds.
template <detail::sortable_in_place It, class S, class Pred, class... Tail>
  requires(detail::bounds<It, S> && detail::judges_projected<Pred, const std::iter_value_t<It>&, Tail...>)
It partition(It first, S last, Pred pred, const Tail&... tail) {
  const auto count = static_cast<std::size_t>(last - first);
  if (count == 0) return first;
  auto projection = detail::projection<0>(tail...);
  const auto goes_left = [&](const std::iter_value_t<It>& x) -> bool {
    return std::invoke(pred, std::invoke(projection, x));
  };
  const auto begin = detail::as_pointer(first);
  const auto end = detail::at_offset(begin, count);
  const std::size_t asked = detail::collect(tail...).grain_size;
  const std::size_t chunk = std::max<std::size_t>(detail::leaf_size(count, asked, detail::leaves_by_workers()), 1);
  detail::pieces cut;
  const auto split = [&] {
    if (count > chunk && concurrency() != 1)
      return detail::partition_parallel(begin, end, detail::leaf_size(count, 0, chunk), goes_left, cut);
    detail::declare_reads(begin, end);
    detail::declare_writes(begin, end);
    return detail::partition_serial(begin, end, goes_left, cut);
  };
  return detail::at_offset(first, static_cast<std::size_t>(split() - begin));
}

/// Moves the elements of a range that `pred` accepts before all others; otherwise as the partition() over iterators.
template <detail::loop_range R, class Pred, class... Tail>
  requires(detail::sortable_in_place<std::ranges::iterator_t<R>> &&
           detail::judges_projected<Pred, const std::ranges::range_value_t<R>&, Tail...>)
std::ranges::borrowed_iterator_t<R> partition(R&& range, Pred pred, const Tail&... tail) {
  return jackdaw::partition(std::ranges::begin(range), detail::last_of(range), std::move(pred), tail...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
