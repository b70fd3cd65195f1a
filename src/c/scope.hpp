#pragma once

#include <cstdint>
#include <exception>

#include "jackdaw/detail/lane.hpp"
#include "jackdaw/jackdaw.h"

namespace jackdaw::c_api {

class group_slot;

/// A call of a program's function as a task of the C API: owns the groups that the function has begun and not ended.
///
/// A scope is on the stack of the function's fiber, or thread, and is linked there: the innermost one is that of the
/// running function. Only the function's own task touches it, so nothing here is atomic.
class scope {
 public:
  scope() noexcept : place_(here()), outer_(*place_) { *place_ = this; }
  /// After close(), or while an exception passes: then what groups' children throw is dropped.
  ~scope() {
    if (open_ != nullptr) [[unlikely]] {
      abandon();
    }
    *place_ = outer_;
  }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

  /// Waits for the groups that are open and ends them. Throws the first exception of a child.
  void close() {
    if (open_ != nullptr) [[unlikely]] {
      end_groups();
    }
  }

  void add(group_slot& begun) noexcept;
  void remove(group_slot& ended) noexcept;

  /// Returns the scope of the running function; null in a task of the C++ API that no function of the C API has called.
  /// A thread outside of tasks has a scope of its own, which is made here and ends with the thread.
  static scope* current() {
    scope* const innermost = *here();
    return innermost != nullptr ? innermost : of_thread();
  }

 private:
  /// Where the innermost scope is kept. The task may be on another thread after each fork, but stays on its fiber.
  static scope** here() noexcept {
    detail::lane* const at = detail::this_lane();
    return at != nullptr ? &at->current->scope : here_slowly();
  }
  [[gnu::noinline]] static scope** here_slowly() noexcept;
  [[gnu::noinline]] static scope* of_thread();
  [[gnu::noinline]] void end_groups();
  [[gnu::noinline]] void abandon() noexcept;

  scope** const place_;
  scope* const outer_;
  group_slot* open_ = nullptr;  // a list, the newest first
};

/// Calls a function of the program as a task of the C API.
inline void call(jackdaw_function f, void* arg) {
  scope own;
  f(arg);
  own.close();
}

}  // namespace jackdaw::c_api
