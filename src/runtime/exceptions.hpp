#pragma once

#include "jackdaw/detail/exception_state.hpp"

namespace jackdaw::detail {

/// Returns the calling thread's exception state, where the C++ runtime keeps it.
exception_state* this_exception_state() noexcept;

/// Exchanges the calling thread's exception state with a fiber's.
void swap_exceptions(exception_state& with) noexcept;

/// While it lives, the running fiber handles no exception and none is in flight. Used around a child that runs on its
/// parent's stack, or that the parent calls on another one: the child must not see the exceptions that its parent is
/// handling. The fiber may be on another thread when it ends.
class exceptions_aside {
 public:
  exceptions_aside() noexcept { swap_exceptions(parents_); }
  ~exceptions_aside() { swap_exceptions(parents_); }
  exceptions_aside(const exceptions_aside&) = delete;
  exceptions_aside& operator=(const exceptions_aside&) = delete;

 private:
  exception_state parents_;
};

}  // namespace jackdaw::detail
