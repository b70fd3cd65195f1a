#pragma once

#include <atomic>

#include "checks/hooks.hpp"

namespace jackdaw::detail {

inline constinit std::atomic<const checks::hooks*> known_checks{nullptr};

/// What libjackdaw-checks.so wants to be told; null in a program without it.
inline const checks::hooks* watching() noexcept { return known_checks.load(std::memory_order_relaxed); }

/// Before the first worker starts: looks whether the program has that library, and what $JACKDAW_CHECKS wants of it.
/// Throws error for another value than abort or report, and for either where the library is not there.
void find_checks();

}  // namespace jackdaw::detail
