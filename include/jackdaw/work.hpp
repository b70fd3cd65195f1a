#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)

namespace jackdaw {

/// "No hint was given."
inline constexpr double unknown = -1.0;

/// A branch and how much work it is, relative to its siblings (ADWS, SC'19, section 4.1).
template <class F>
struct hinted {
  double amount;
  F function;

  template <class... Args>
    requires std::invocable<F&, Args...>
  decltype(auto) operator()(Args&&... args) {
    return std::invoke(function, std::forward<Args>(args)...);
  }
};

/// Says how much work `f` is, in any unit, as only the ratio to its siblings counts. `amount` is at least 0; 0 is
/// legal.
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

#pragma GCC visibility pop
