#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/algorithm/scan.hpp"
#include "jackdaw/detail/algorithm/loop_over.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {

/// A range of ranges that outlive the access to them.
template <class R>
concept range_of_ranges = loop_range<R> && loop_range<std::ranges::range_reference_t<R>> &&
                          std::ranges::borrowed_range<std::ranges::range_reference_t<R>>;

template <class R>
using inner_value = std::ranges::range_value_t<std::ranges::range_reference_t<R>>;

/// Where each range begins among the elements of all, and behind that their number.
template <class R>
std::vector<std::size_t> starts_of(R& ranges) {
  const auto first = std::ranges::begin(ranges);
  std::vector<std::size_t> starts(static_cast<std::size_t>(std::ranges::size(ranges)) + 1);
  jackdaw::for_index(std::size_t{1}, starts.size(), [&](std::size_t i) {
    starts[i] = static_cast<std::size_t>(std::ranges::size(*at_offset(first, i - 1)));
  });
  jackdaw::inclusive_scan(starts.begin(), starts.end(), starts.begin());
  return starts;
}

template <class R, class Out, class W>
void copy_flat(R& ranges, const std::vector<std::size_t>& starts, Out out, loop_options<W> options) {
  static_assert(check_output<Out>());
  const auto first = std::ranges::begin(ranges);
  const auto declare = [&](std::size_t from, std::size_t to) {
    declare_writes(at_offset(out, from), at_offset(out, to));
  };
  const auto copy = [&](std::size_t from, std::size_t to) {
    auto next = std::upper_bound(starts.begin(), starts.end(), from);  // the end of the range that has element `from`
    for (; from != to; ++next) {
      auto&& range = *at_offset(first, static_cast<std::size_t>(next - starts.begin()) - 1);
      const auto inner = std::ranges::begin(range);
      const std::size_t start = *(next - 1), end = std::min(*next, to);
      declare_reads(inner, from - start, end - start);
      std::copy(at_offset(inner, from - start), at_offset(inner, end - start), at_offset(out, from));
      from = end;
    }
  };
  loop_in_pieces(starts.back(), declare, copy, std::move(options));
}

}  // namespace detail

/// Copies the elements of all ranges of a range to `out`, one range after the other.
///
/// The leaves have equally many elements, however these are divided among the ranges. Over contiguous iterators they
/// declare what they read and write.
///
/// @param ranges The ranges, which random access finds and which are random-access themselves.
/// @param out The beginning of the output, which must not overlap an input. Outputs whose neighbouring elements share
/// bytes, as those of std::vector<bool> do, are refused.
/// @param options A grain and a work_of, which count elements of the output.
/// @return The end of the output.
/// @throws std::bad_alloc if there is no memory for the numbers of elements.
/// @throws anything that an assignment throws, as for_index() does. The output is then unspecified.
/// @par Complexity
/// For n elements in k ranges and grain g: work O(n + k + n/g log k), span O(g + log n + log k), memory for k sizes.
template <detail::range_of_ranges R, std::random_access_iterator Out, loop_option... Options>
Out flatten(R&& ranges, Out out, const Options&... options) {
  auto collected = detail::collect(options...);
  const std::vector<std::size_t> starts = detail::starts_of(ranges);
  detail::copy_flat(ranges, starts, out, std::move(collected));
  return detail::at_offset(out, starts.back());
}

/// Returns the elements of all ranges of a range, one range after the other; otherwise as the flatten() with an output.
///
/// The calling thread makes the elements of the vector before the copies are assigned to them.
template <detail::range_of_ranges R, loop_option... Options>
  requires std::default_initializable<detail::inner_value<R>>
std::vector<detail::inner_value<R>> flatten(R&& ranges, const Options&... options) {
  auto collected = detail::collect(options...);
  const std::vector<std::size_t> starts = detail::starts_of(ranges);
  std::vector<detail::inner_value<R>> all(starts.back());
  detail::copy_flat(ranges, starts, all.begin(), std::move(collected));
  return all;
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
