#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

// What may follow the arguments of an algorithm: its projections, then its options.

template <class... Tail>
inline constexpr std::size_t projections_in = (std::size_t{0} + ... + std::size_t{!loop_option<Tail>});

template <std::size_t Projections, class... Tail>
constexpr bool options_come_last() {
  std::size_t at = 0;
  return ((loop_option<Tail> == (at++ >= Projections)) && ...);
}

/// `Most` projections at most, and then options.
template <std::size_t Most, class... Tail>
concept tail_of = projections_in<Tail...> <= Most && options_come_last<projections_in<Tail...>, Tail...>();

/// Projection I of a tail, or std::identity.
template <std::size_t I, class... Tail>
auto projection(const Tail&... tail) {
  if constexpr (I < projections_in<Tail...>) {
    return std::get<I>(std::tie(tail...));
  } else {
    return std::identity{};
  }
}
template <std::size_t I, class... Tail>
using projection_type = decltype(projection<I>(std::declval<const Tail&>()...));

/// What projection I of a tail makes of a reference.
template <class Reference, std::size_t I, class... Tail>
using projected_type = std::invoke_result_t<projection_type<I, Tail...>&, Reference>;

/// F takes what the projection of a tail makes of a reference.
template <class F, class Reference, class... Tail>
concept takes_projected = tail_of<1, Tail...> && std::invocable<F&, projected_type<Reference, 0, Tail...>>;

/// Pred accepts or refuses what the projection of a tail makes of a reference.
template <class Pred, class Reference, class... Tail>
concept judges_projected = tail_of<1, Tail...> && std::predicate<Pred&, projected_type<Reference, 0, Tail...>>;

/// What the projection of a tail makes of a reference can be compared with a T.
template <class T, class Reference, class... Tail>
concept equals_projected =
    tail_of<1, Tail...> && std::equality_comparable_with<projected_type<Reference, 0, Tail...>, const T&>;

/// The predicate of a search for a value.
template <class T>
struct equal_to {
  const T& value;
  template <class X>
  constexpr bool operator()(X&& x) const {
    return std::forward<X>(x) == value;
  }
};
template <class T>
equal_to(const T&) -> equal_to<T>;

/// Calls F with the projections of its arguments.
template <class F, class Projection>
struct projected {
  [[no_unique_address]] F function;
  [[no_unique_address]] Projection projection;
  template <class... Args>
  constexpr decltype(auto) operator()(Args&&... args) {
    return std::invoke(function, std::invoke(projection, std::forward<Args>(args))...);
  }
};

/// `function` itself if there is nothing to project.
template <class F, class Projection>
auto with_projection(F function, Projection by) {
  if constexpr (std::is_same_v<Projection, std::identity> && !std::is_member_pointer_v<F>) {
    return function;
  } else {
    return projected<F, Projection>{std::move(function), std::move(by)};
  }
}

template <class It, class S>
concept bounds = std::random_access_iterator<It> && std::sized_sentinel_for<S, It>;

template <class R>
concept loop_range = std::ranges::random_access_range<R> && std::ranges::sized_range<R>;

/// An iterator in place of a sentinel.
template <loop_range R>
auto last_of(R&& range) {
  return std::ranges::begin(range) + static_cast<std::ranges::range_difference_t<R>>(std::ranges::size(range));
}

/// What lies `offset` elements behind `first`.
template <class It>
It at_offset(It first, std::size_t offset) {
  return first + static_cast<std::iter_difference_t<It>>(offset);
}

/// A pointer, if that is what the iterator comes to.
template <class It>
auto as_pointer(It it) {
  if constexpr (std::contiguous_iterator<It>)
    return std::to_address(it);
  else
    return it;
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
