#pragma once

namespace jackdaw::detail {

/// A broken invariant: says what, where the workers are, and ends the program.
[[noreturn]] void fatal(const char* what) noexcept;

}  // namespace jackdaw::detail
