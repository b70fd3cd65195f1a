#pragma once

#include <functional>
#include <utility>

#include "jackdaw/detail/control_word.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// A function together with the floating-point control bits that it runs under; made by keep_rounding().
///
/// F is the function's type as a forwarding reference deduces it. It is a reference for a named function object, which
/// is then referred to and not copied.
template <class F>
class rounding_kept {
 public:
  /// Keeps `function` and the calling task's current control bits.
  explicit rounding_kept(F&& function) : function_(std::forward<F>(function)) {}

  /// Calls the function under the kept control bits and returns its result. The caller's control bits are restored
  /// afterwards, also if the function throws.
  template <class... Args>
  decltype(auto) operator()(Args&&... args) {
    const detail::exactly_under_control here(control_);
    return std::invoke(function_, std::forward<Args>(args)...);
  }

 private:
  F function_;
  detail::control_word control_;
};

/// Wraps `f` so that it runs under the calling task's current rounding mode, on whichever worker it runs.
///
/// The other control bits of the floating-point unit are kept as well. The second and later branches of an invoke()
/// need it: a branch that is stolen otherwise starts with the control bits of the thread that made the runtime, because
/// reading them at each fork would double the cost of a fork. Children of groups, blocks of loops and roots keep their
/// control bits without it (docs/forks.md).
///
///     std::fesetround(FE_UPWARD);
///     jackdaw::invoke(left, jackdaw::keep_rounding(right));
///
/// @param f A temporary is moved into the result. A named function object is referred to and must outlive the result.
/// @par Complexity
/// About 10 ns for each call of the result.
template <class F>
rounding_kept<F> keep_rounding(F&& f) {
  return rounding_kept<F>(std::forward<F>(f));
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
