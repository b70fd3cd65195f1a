#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/loop_over.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {

/// Writes `make(*in...)` for `count` places; the end of the output.
template <class Out, class Make, class W, class... In>
Out write_each(std::size_t count, Out out, Make&& make, loop_options<W> options, In... in) {
  static_assert(check_output<Out>());
  const auto declare = [&](std::size_t from, std::size_t to) {
    (declare_reads(in, from, to), ...);
    declare_writes(at_offset(out, from), at_offset(out, to));
  };
  const auto piece = [&](std::size_t from, std::size_t to) {
    // The iterators' addresses are not taken: they stay in registers.
    [&make](std::size_t steps, Out at, In... its) {
      for (; steps != 0; --steps, ++at, (static_cast<void>(++its), ...)) *at = make(*its...);
    }(to - from, at_offset(out, from), at_offset(in, from)...);
  };
  loop_in_pieces(count, declare, piece, std::move(options));
  return at_offset(out, count);
}

}  // namespace detail

/// Writes `f(*it)` to `out` for each iterator of [first, last).
///
/// Over contiguous iterators each leaf declares what it reads and writes.
///
/// @param first The beginning of the input.
/// @param last The end of the input, an iterator or a sentinel.
/// @param out The beginning of the output, which may be `first`. Outputs whose neighbouring elements share bytes, as
/// those of std::vector<bool> do, are refused.
/// @param f The function. Several workers call it at the same time.
/// @param tail A projection, which turns an element into what `f` is called with; a grain, a work_of and a
/// std::stop_token.
/// @return The end of the output.
/// @throws anything that `f` or an assignment throws, as for_index() does. The output is then unspecified.
/// @par Complexity
/// For n elements and grain g: work O(n), span O(g + log(n/g)), counting calls of `f`.
template <class In, class S, std::random_access_iterator Out, class F, class... Tail>
  requires(detail::bounds<In, S> && detail::takes_projected<F, std::iter_reference_t<In>, Tail...>)
Out transform(In first, S last, Out out, F f, const Tail&... tail) {
  auto projection = detail::projection<0>(tail...);
  const auto make = [&](auto&& x) -> decltype(auto) {
    return std::invoke(f, std::invoke(projection, std::forward<decltype(x)>(x)));
  };
  return detail::write_each(static_cast<std::size_t>(last - first), out, make, detail::collect(tail...), first);
}

/// Writes `f(*it1, *it2)` to `out` for all pairs of elements of two ranges; otherwise as the transform() of one range.
///
/// @param first1 The beginning of the first input.
/// @param last1 The end of the first input, an iterator or a sentinel.
/// @param first2 The beginning of the second input, which is at least as long as the first one.
/// @param out The beginning of the output, which may be that of an input.
/// @param f The function. Several workers call it at the same time.
/// @param tail A projection for the first input, and one for the second; a grain, a work_of and a std::stop_token.
/// @return The end of the output.
template <class In1, class S1, std::random_access_iterator In2, std::random_access_iterator Out, class F, class... Tail>
  requires(detail::bounds<In1, S1> && detail::tail_of<2, Tail...> &&
           std::invocable<F&, detail::projected_type<std::iter_reference_t<In1>, 0, Tail...>,
                          detail::projected_type<std::iter_reference_t<In2>, 1, Tail...>>)
Out transform(In1 first1, S1 last1, In2 first2, Out out, F f, const Tail&... tail) {
  auto projection1 = detail::projection<0>(tail...);
  auto projection2 = detail::projection<1>(tail...);
  const auto make = [&](auto&& x, auto&& y) -> decltype(auto) {
    return std::invoke(f, std::invoke(projection1, std::forward<decltype(x)>(x)),
                       std::invoke(projection2, std::forward<decltype(y)>(y)));
  };
  const auto count = static_cast<std::size_t>(last1 - first1);
  return detail::write_each(count, out, make, detail::collect(tail...), first1, first2);
}

/// Writes what `f` makes of each element of a range to `out`; otherwise as the transform() over iterators.
template <detail::loop_range R, std::random_access_iterator Out, class F, class... Tail>
  requires(detail::takes_projected<F, std::ranges::range_reference_t<R>, Tail...>)
Out transform(R&& range, Out out, F f, const Tail&... tail) {
  return jackdaw::transform(std::ranges::begin(range), detail::last_of(range), out, std::move(f), tail...);
}

/// Writes what `f` makes of all pairs of elements of two ranges to `out`, as many as the shorter range has; otherwise
/// as the transform() over iterators.
template <detail::loop_range R1, detail::loop_range R2, std::random_access_iterator Out, class F, class... Tail>
  requires(detail::tail_of<2, Tail...> &&
           std::invocable<F&, detail::projected_type<std::ranges::range_reference_t<R1>, 0, Tail...>,
                          detail::projected_type<std::ranges::range_reference_t<R2>, 1, Tail...>>)
Out transform(R1&& range1, R2&& range2, Out out, F f, const Tail&... tail) {
  const auto first = std::ranges::begin(range1);
  const auto size1 = static_cast<std::size_t>(std::ranges::size(range1));
  const auto size2 = static_cast<std::size_t>(std::ranges::size(range2));
  return jackdaw::transform(first, detail::at_offset(first, size1 < size2 ? size1 : size2), std::ranges::begin(range2),
                            out, std::move(f), tail...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
