#pragma once

#include <cstddef>

namespace jackdaw::checks {

/// A task's stack.
struct stack {
  const std::byte* low = nullptr;
  const std::byte* high = nullptr;
  /// The function that calls a task on its stack. A walk over callers ends here: beyond lies another task's stack, on
  /// which that task may be running elsewhere.
  const void* base = nullptr;
};

/// What libjackdaw-checks.so is told by the runtime, on the thread that it concerns.
struct hooks {
  /// A runtime starts. `aborts`: what is found ends the program.
  void (*begin)(bool aborts) noexcept;
  /// This thread is about to run the task on this stack, which goes on at `site`, or others that it calls.
  void (*enter)(const stack& on, const void* site) noexcept;
  /// The task that runs leaves its stack: this thread runs other tasks next.
  void (*leave)() noexcept;
  /// The task on this stack has ended.
  void (*end)(const stack& on) noexcept;
};

/// The name of the one object of that type; its number changes with the type.
inline constexpr const char* hooks_name = "jackdaw_checks_1";

}  // namespace jackdaw::checks
