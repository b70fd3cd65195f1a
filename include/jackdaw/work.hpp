#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The amount of work that stands for "no hint was given".
inline constexpr double unknown = -1.0;

/// A function together with its amount of work; made by work().
///
/// F is the function's type as a forwarding reference deduces it.
template <class F>
struct hinted {
  double amount;  ///< The amount of work, at least 0, relative to the amounts of the siblings.
  F function;     ///< The function, or a reference to it.

  /// Calls the function and returns its result.
  template <class... Args>
    requires std::invocable<F&, Args...>
  decltype(auto) operator()(Args&&... args) {
    return std::invoke(function, std::forward<Args>(args)...);
  }
};

/// Attaches a work hint to a branch of an invoke(): `invoke(work(2, f), work(1, g))`.
///
/// Schedulers that divide the computation among workers or memory nodes use the hints. A wrong hint affects the speed
/// and never the result.
///
/// @param amount The work of `f` in any unit, at least 0. Only the ratio to the siblings' amounts counts. A branch
/// without a hint counts 1. If an amount, or the sum of all, is not finite, no branch has a hint.
/// @param f The branch. A named function object is referred to, not copied.
/// @par Source
/// ADWS (SC'19), section 4.1.
template <class F>
hinted<F> work(double amount, F&& f) {
  return {amount, std::forward<F>(f)};
}

namespace detail {
template <class F>
inline constexpr bool is_hinted = false;
template <class F>
inline constexpr bool is_hinted<hinted<F>> = true;

template <class F>
double amount_of(const F&) noexcept {
  return unknown;
}
template <class F>
double amount_of(const hinted<F>& branch) noexcept {
  return branch.amount;
}
}  // namespace detail
}  // namespace jackdaw

JACKDAW_EXPORT_END
