#pragma once

#include <atomic>

namespace jackdaw::detail {

/// True for the first caller in the life of a process. No std::once_flag: the child of a fork() would wait for ever for
/// a thread that was in it.
inline bool first(std::atomic<bool>& said) noexcept { return !said.exchange(true, std::memory_order_relaxed); }

}  // namespace jackdaw::detail
