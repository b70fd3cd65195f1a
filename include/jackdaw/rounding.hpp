#pragma once

#include <functional>
#include <utility>

#include "jackdaw/detail/control_word.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

/// A function and the state of the floating-point unit to call it in. What the function changes of that ends with it.
template <class F>
class rounding_kept {
 public:
  explicit rounding_kept(F&& function) : function_(std::forward<F>(function)) {}

  template <class... Args>
  decltype(auto) operator()(Args&&... args) {
    const detail::exactly_under_control here(control_);
    return std::invoke(function_, std::forward<Args>(args)...);
  }

 private:
  F function_;
  detail::control_word control_;
};

/// `f`, to be called under the rounding mode, and the other control bits of the floating-point unit, that the calling
/// task has now, wherever it runs. For the second and later branches of an invoke: one that is stolen starts with the
/// runtime's own, since reading it at each fork would double the fork's cost. Children of groups, blocks of loops and
/// roots need none of this. Costs some 10 ns a call. A named f is referred to, not copied. docs/forks.md.
///
///     std::fesetround(FE_UPWARD);
///     jackdaw::invoke(left, jackdaw::keep_rounding(right));
template <class F>
rounding_kept<F> keep_rounding(F&& f) {
  return rounding_kept<F>(std::forward<F>(f));
}

}  // namespace jackdaw

#pragma GCC visibility pop
