#pragma once

namespace jackdaw::detail {

/// Ends the program because an invariant is broken; prints which one, and what the workers are doing.
[[noreturn]] void fatal(const char* what) noexcept;

/// Aborts because of a mistake of the program that cannot be reported by an exception; prints the mistake.
[[noreturn]] void end_for(const char* mistake) noexcept;

/// Ends the child of a fork() at a point from which only the parent can continue: prints `what` and exits with status
/// 1, without running what exit() runs.
[[noreturn]] void end_of_child(const char* what) noexcept;

}  // namespace jackdaw::detail
