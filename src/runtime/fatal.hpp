#pragma once

namespace jackdaw::detail {

/// A broken invariant: says what, where the workers are, and ends the program.
[[noreturn]] void fatal(const char* what) noexcept;

/// The program has done what nothing can go on from, and nobody can be told by an exception: says what, and aborts.
[[noreturn]] void end_for(const char* mistake) noexcept;

/// In the child of a fork(), something has come to a point that only the parent can go on from: says what, and ends the
/// child with exit status 1, without running what exit() runs.
[[noreturn]] void end_of_child(const char* what) noexcept;

}  // namespace jackdaw::detail
