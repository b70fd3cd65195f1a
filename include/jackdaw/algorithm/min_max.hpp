#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "jackdaw/algorithm/reduce.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {

/// For each `better` the iterator that no later one in the range beats: `better(it, best)`.
template <class It, class W, class... Better>
std::array<It, sizeof...(Better)> best_places(It first, std::size_t count, loop_options<W> options, Better... better) {
  using places = std::array<It, sizeof...(Better)>;
  const auto start_at = [](const It& it) { return places{(static_cast<void>(sizeof(Better)), it)...}; };
  if (count == 0) return start_at(first);
  const auto improve = [&better...](places& best, const places& with) {
    std::size_t i = 0;
    ((better(with[i], best[i]) ? void(best[i] = with[i]) : void(), ++i), ...);
  };
  pieces cut(options.stop);
  auto best_of_leaf = [&](std::size_t from, std::size_t to) {
    declare_reads(first, from, to);
    places best = start_at(at_offset(first, from));
    cut.run(to - from - 1, [&](std::size_t done, std::size_t until) {
      places now = best;  // its address is not taken outside of this piece: it can stay in registers
      for (It it = at_offset(first, from + 1 + done); done != until; ++done, ++it) improve(now, start_at(it));
      best = now;
    });
    return best;
  };
  auto better_of_two = [&](places left, const places& right) {
    improve(left, right);
    return left;
  };
  return reduce_leaves<places>(count, best_of_leaf, better_of_two, options);
}

/// Whether one element is less than another, by iterators.
template <class Less, class... Tail>
auto less_at(Less& less, const Tail&... tail) {
  return [&less, projection = projection<0>(tail...)](const auto& a, const auto& b) mutable -> bool {
    return std::invoke(less, std::invoke(projection, *a), std::invoke(projection, *b));
  };
}

/// Less compares what the projection of a tail makes of references.
template <class Less, class Reference, class... Tail>
concept orders_projected =
    !loop_option<Less> && tail_of<1, Tail...> &&
    std::predicate<Less&, projected_type<Reference, 0, Tail...>, projected_type<Reference, 0, Tail...>>;

}  // namespace detail

/// Two iterators of a range: to its least and to its greatest element.
template <class It>
struct min_max_result {
  It min;  ///< The first of the least elements.
  It max;  ///< The last of the greatest elements.
};

/// Returns the first of the least elements of [first, last), or the end of an empty range.
///
/// Over contiguous iterators each leaf declares its elements as read.
///
/// @param first The beginning of the range.
/// @param last The end of the range, an iterator or a sentinel.
/// @param less A strict weak order. Several workers call it at the same time.
/// @param tail A projection, which turns an element into what is compared; a grain, a work_of and a std::stop_token.
/// @throws anything that `less` throws, as for_index() does.
/// @par Complexity
/// For n elements and grain g: n - 1 comparisons, span O(g + log(n/g)).
template <class It, class S, class Less = std::ranges::less, class... Tail>
  requires(detail::bounds<It, S> && detail::orders_projected<Less, std::iter_reference_t<It>, Tail...>)
It min_element(It first, S last, Less less, const Tail&... tail) {
  auto precedes = detail::less_at(less, tail...);
  const auto is_less = [&](const It& it, const It& best) { return precedes(it, best); };
  return detail::best_places(first, static_cast<std::size_t>(last - first), detail::collect(tail...), is_less)[0];
}

/// Returns the first of the greatest elements of [first, last), or the end of an empty range; otherwise as
/// min_element().
template <class It, class S, class Less = std::ranges::less, class... Tail>
  requires(detail::bounds<It, S> && detail::orders_projected<Less, std::iter_reference_t<It>, Tail...>)
It max_element(It first, S last, Less less, const Tail&... tail) {
  auto precedes = detail::less_at(less, tail...);
  const auto is_greater = [&](const It& it, const It& best) { return precedes(best, it); };
  return detail::best_places(first, static_cast<std::size_t>(last - first), detail::collect(tail...), is_greater)[0];
}

/// Returns the first of the least and the last of the greatest elements of [first, last); otherwise as min_element().
///
/// @par Complexity
/// For n elements and grain g: 2(n - 1) comparisons, span O(g + log(n/g)).
template <class It, class S, class Less = std::ranges::less, class... Tail>
  requires(detail::bounds<It, S> && detail::orders_projected<Less, std::iter_reference_t<It>, Tail...>)
min_max_result<It> minmax_element(It first, S last, Less less, const Tail&... tail) {
  auto precedes = detail::less_at(less, tail...);
  const auto is_less = [&](const It& it, const It& best) { return precedes(it, best); };
  const auto is_not_less = [&](const It& it, const It& best) { return !precedes(it, best); };
  const auto [min, max] = detail::best_places(first, static_cast<std::size_t>(last - first), detail::collect(tail...),
                                              is_less, is_not_less);
  return {min, max};
}

/// Returns the first of the least elements of [first, last) in ascending order; otherwise as the min_element()
/// with a comparison.
template <class It, class S, loop_option... Options>
  requires detail::bounds<It, S>
It min_element(It first, S last, const Options&... options) {
  return jackdaw::min_element(first, last, std::ranges::less{}, options...);
}

/// Returns the first of the least elements of a range; otherwise as the min_element() over iterators.
template <detail::loop_range R, class Less = std::ranges::less, class... Tail>
  requires detail::orders_projected<Less, std::ranges::range_reference_t<R>, Tail...>
std::ranges::borrowed_iterator_t<R> min_element(R&& range, Less less, const Tail&... tail) {
  return jackdaw::min_element(std::ranges::begin(range), detail::last_of(range), std::move(less), tail...);
}

/// Returns the first of the least elements of a range; otherwise as the min_element() over iterators.
template <detail::loop_range R, loop_option... Options>
std::ranges::borrowed_iterator_t<R> min_element(R&& range, const Options&... options) {
  return jackdaw::min_element(std::ranges::begin(range), detail::last_of(range), std::ranges::less{}, options...);
}

/// Returns the first of the greatest elements of [first, last) in ascending order; otherwise as the max_element()
/// with a comparison.
template <class It, class S, loop_option... Options>
  requires detail::bounds<It, S>
It max_element(It first, S last, const Options&... options) {
  return jackdaw::max_element(first, last, std::ranges::less{}, options...);
}

/// Returns the first of the greatest elements of a range; otherwise as the max_element() over iterators.
template <detail::loop_range R, class Less = std::ranges::less, class... Tail>
  requires detail::orders_projected<Less, std::ranges::range_reference_t<R>, Tail...>
std::ranges::borrowed_iterator_t<R> max_element(R&& range, Less less, const Tail&... tail) {
  return jackdaw::max_element(std::ranges::begin(range), detail::last_of(range), std::move(less), tail...);
}

/// Returns the first of the greatest elements of a range; otherwise as the max_element() over iterators.
template <detail::loop_range R, loop_option... Options>
std::ranges::borrowed_iterator_t<R> max_element(R&& range, const Options&... options) {
  return jackdaw::max_element(std::ranges::begin(range), detail::last_of(range), std::ranges::less{}, options...);
}

/// Returns the first of the least and the last of the greatest elements of [first, last) in ascending order; otherwise
/// as the minmax_element() with a comparison.
template <class It, class S, loop_option... Options>
  requires detail::bounds<It, S>
min_max_result<It> minmax_element(It first, S last, const Options&... options) {
  return jackdaw::minmax_element(first, last, std::ranges::less{}, options...);
}

/// Returns the first of the least and the last of the greatest elements of a range; otherwise as the minmax_element()
/// over iterators.
template <detail::loop_range R, class Less = std::ranges::less, class... Tail>
  requires detail::orders_projected<Less, std::ranges::range_reference_t<R>, Tail...>
min_max_result<std::ranges::borrowed_iterator_t<R>> minmax_element(R&& range, Less less, const Tail&... tail) {
  const auto [min, max] =
      jackdaw::minmax_element(std::ranges::begin(range), detail::last_of(range), std::move(less), tail...);
  return {min, max};
}

/// Returns the first of the least and the last of the greatest elements of a range; otherwise as the minmax_element()
/// over iterators.
template <detail::loop_range R, loop_option... Options>
min_max_result<std::ranges::borrowed_iterator_t<R>> minmax_element(R&& range, const Options&... options) {
  return jackdaw::minmax_element(std::forward<R>(range), std::ranges::less{}, options...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
