#pragma once

#include <atomic>

namespace jackdaw::detail {

/// $JACKDAW_MOVE: at each fork of the lower tier the task leaves its worker, and goes on on another one if any has
/// nothing to do. For finding what does not bear that: docs/forks.md. It is set before the first worker starts.
inline constinit std::atomic<bool> moves_at_forks{false};

inline bool moving() noexcept { return moves_at_forks.load(std::memory_order_relaxed); }

}  // namespace jackdaw::detail
