#pragma once

#include <atomic>

namespace jackdaw::detail {

/// $JACKDAW_MOVE: at each fork of the lower tier the task leaves its worker and resumes on another one, if any is idle.
/// This finds code that cannot bear such a move: docs/forks.md. Set before the first worker starts.
inline constinit std::atomic<bool> moves_at_forks{false};

inline bool moving() noexcept { return moves_at_forks.load(std::memory_order_relaxed); }

}  // namespace jackdaw::detail
