#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/loop_over.hpp"
#include "jackdaw/detail/algorithm/sorted_ranges.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Merges two sorted ranges into one. Of equal elements those of the first range go first, and each range keeps its
/// order.
///
/// Over contiguous iterators each leaf declares what it reads and writes.
///
/// @param first1 The beginning of the first range.
/// @param last1 The end of the first range, an iterator or a sentinel.
/// @param first2 The beginning of the second range.
/// @param last2 The end of the second range, an iterator or a sentinel.
/// @param out The beginning of the output, which must not overlap the inputs. Outputs whose neighbouring elements share
/// bytes, as those of std::vector<bool> do, are refused.
/// @param less A strict weak order by which both ranges are sorted. Several workers call it at the same time.
/// @param tail A projection for the first range, and one for the second; a grain and a work_of, which count elements of
/// the output.
/// @return The end of the output.
/// @throws anything that `less` or an assignment throws, as for_index() does. The output is then unspecified.
/// @throws error if it turns out that the order contradicts itself, or that the ranges are not sorted by it.
/// @par Complexity
/// For n elements in all and grain g: work O(n + n/g log n), span O(g + log n).
template <class It1, class S1, class It2, class S2, std::random_access_iterator Out, class Less = std::ranges::less,
          class... Tail>
  requires detail::mergeable<It1, S1, It2, S2, Out, Less, Tail...>
Out merge(It1 first1, S1 last1, It2 first2, S2 last2, Out out, Less less, const Tail&... tail) {
  static_assert(detail::check_output<Out>());
  const auto inputs = detail::inputs_of(first1, last1, first2, last2, less, tail...);
  auto options = detail::collect(tail...);
  detail::pieces cut(options.stop);
  auto leaf = [&](std::size_t from, std::size_t to) {
    auto begin = inputs.place_of(from);
    const auto end = inputs.place_of(to);
    inputs.declare_reads(begin, end);
    detail::declare_writes(detail::at_offset(out, from), detail::at_offset(out, to));
    cut.run(to - from, [&](std::size_t done, std::size_t until) {
      const auto next = from + until == to ? end : inputs.place_between(begin, end, from + until);
      inputs.apply(std::ranges::merge, begin, next, detail::at_offset(out, from + done));
      begin = next;
    });
  };
  detail::loop_over(inputs.size(), leaf, options);
  return detail::at_offset(out, inputs.size());
}

/// Merges two ranges in ascending order; otherwise as the merge() with a comparison.
template <class It1, class S1, class It2, class S2, std::random_access_iterator Out, loop_option... Options>
  requires detail::mergeable<It1, S1, It2, S2, Out, std::ranges::less>
Out merge(It1 first1, S1 last1, It2 first2, S2 last2, Out out, const Options&... options) {
  return jackdaw::merge(first1, last1, first2, last2, out, std::ranges::less{}, options...);
}

/// Merges two sorted ranges into one; otherwise as the merge() over iterators.
template <detail::loop_range R1, detail::loop_range R2, std::random_access_iterator Out, class Less = std::ranges::less,
          class... Tail>
  requires detail::mergeable_ranges<R1, R2, Out, Less, Tail...>
Out merge(R1&& range1, R2&& range2, Out out, Less less, const Tail&... tail) {
  return jackdaw::merge(std::ranges::begin(range1), detail::last_of(range1), std::ranges::begin(range2),
                        detail::last_of(range2), out, std::move(less), tail...);
}

/// Merges two ranges in ascending order; otherwise as the merge() over iterators.
template <detail::loop_range R1, detail::loop_range R2, std::random_access_iterator Out, loop_option... Options>
  requires detail::mergeable_ranges<R1, R2, Out, std::ranges::less>
Out merge(R1&& range1, R2&& range2, Out out, const Options&... options) {
  return jackdaw::merge(range1, range2, out, std::ranges::less{}, options...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
