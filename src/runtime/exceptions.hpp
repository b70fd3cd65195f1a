#pragma once

#include "jackdaw/detail/exception_state.hpp"

namespace jackdaw::detail {

/// The calling thread's, wherever the C++ runtime keeps it.
exception_state* this_exception_state() noexcept;

/// Exchanges the calling thread's with a fiber's.
void swap_exceptions(exception_state& with) noexcept;

/// While it lives, the running fiber handles nothing and nothing is on its way: for a child that runs on its parent's
/// stack, or that the parent calls on another one, and that must not see what the parent is in the middle of. The fiber
/// may be on another thread when it ends.
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
