#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/transform.hpp"
#include "jackdaw/detail/algorithm/loop_over.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Assigns `value` to each element of [first, last).
///
/// Over contiguous iterators each leaf declares what it writes.
///
/// @param first The beginning of the range. Ranges whose neighbouring elements share bytes, as those of
/// std::vector<bool> do, are refused.
/// @param last The end of the range, an iterator or a sentinel.
/// @param value The value, which several workers read at the same time.
/// @param options A grain, a work_of and a std::stop_token.
/// @throws anything that an assignment throws, as for_index() does.
/// @par Complexity
/// For n elements and grain g: work O(n), span O(g + log(n/g)).
template <class It, class S, class T, loop_option... Options>
  requires(detail::bounds<It, S> && std::is_assignable_v<std::iter_reference_t<It>, const T&>)
void fill(It first, S last, const T& value, const Options&... options) {
  static_assert(detail::check_output<It>());
  const auto declare = [&](std::size_t from, std::size_t to) {
    detail::declare_writes(detail::at_offset(first, from), detail::at_offset(first, to));
  };
  const auto piece = [&](std::size_t from, std::size_t to) {
    std::fill(detail::at_offset(first, from), detail::at_offset(first, to), value);
  };
  detail::loop_in_pieces(static_cast<std::size_t>(last - first), declare, piece, detail::collect(options...));
}

/// Assigns `value` to each element of a range; otherwise as the fill() over iterators.
template <detail::loop_range R, class T, loop_option... Options>
  requires std::is_assignable_v<std::ranges::range_reference_t<R>, const T&>
void fill(R&& range, const T& value, const Options&... options) {
  jackdaw::fill(std::ranges::begin(range), detail::last_of(range), value, options...);
}

/// Assigns a result of `make()` to each element of [first, last); otherwise as fill().
///
/// @param first The beginning of the range.
/// @param last The end of the range, an iterator or a sentinel.
/// @param make The function. It is called once for each element, in any order, by several workers at the same time.
/// @param options A grain, a work_of and a std::stop_token.
template <class It, class S, class Make, loop_option... Options>
  requires(detail::bounds<It, S> && std::invocable<Make&> &&
           std::is_assignable_v<std::iter_reference_t<It>, std::invoke_result_t<Make&>>)
void generate(It first, S last, Make make, const Options&... options) {
  const auto value = [&make]() -> decltype(auto) { return std::invoke(make); };
  detail::write_each(static_cast<std::size_t>(last - first), first, value, detail::collect(options...));
}

/// Assigns a result of `make()` to each element of a range; otherwise as the generate() over iterators.
template <detail::loop_range R, class Make, loop_option... Options>
  requires std::invocable<Make&>
void generate(R&& range, Make make, const Options&... options) {
  jackdaw::generate(std::ranges::begin(range), detail::last_of(range), std::move(make), options...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
