#pragma once

#include <atomic>

#include "checks/hooks.hpp"

namespace jackdaw::detail {

inline constinit std::atomic<const checks::hooks*> known_checks{nullptr};

/// The hooks of libjackdaw-checks.so; null in a program without it.
inline const checks::hooks* watching() noexcept { return known_checks.load(std::memory_order_relaxed); }

/// Called before the first worker starts: looks whether that library is in the program, and what $JACKDAW_CHECKS asks
/// of it. Any value but abort and report cannot be used, nor can either of these if the library is not in the program.
void find_checks();

}  // namespace jackdaw::detail
