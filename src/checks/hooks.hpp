#pragma once

#include <cstddef>

namespace jackdaw::checks {

/// A task's stack.
struct stack {
  const std::byte* low = nullptr;
  const std::byte* high = nullptr;
  /// The function that calls a task on its stack. A walk over callers ends here: beyond it lies the stack of another
  /// task, which may be running elsewhere.
  const void* base = nullptr;
};

/// The runtime's notifications to libjackdaw-checks.so, on the thread that they concern.
struct hooks {
  /// A runtime starts. `aborts`: a finding aborts the program.
  void (*begin)(bool aborts) noexcept;
  /// This thread is about to run the task on this stack, which continues at `site`, or tasks that it calls.
  void (*enter)(const stack& on, const void* site) noexcept;
  /// The task that runs leaves its stack: this thread runs other tasks next.
  void (*leave)() noexcept;
  /// The task on this stack has ended.
  void (*end)(const stack& on) noexcept;
};

/// The name of the one object of that type; its number changes with the type.
inline constexpr const char* hooks_name = "jackdaw_checks_1";

}  // namespace jackdaw::checks
