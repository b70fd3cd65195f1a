#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace jackdaw::checks {

/// Return addresses, innermost first; null after the last.
template <std::size_t Most>
using trail = std::array<const void*, Most>;

/// Fills `into` with the callers on this stack from the return address `first` on. Stops in the function `base`.
/// Allocates nothing, because the caller may be inside an allocator, with its lock held.
void find_callers(std::span<const void*> into, const void* first, const void* base) noexcept;

}  // namespace jackdaw::checks
