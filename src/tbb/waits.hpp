#pragma once

#include "tbb/layout.hpp"

namespace jackdaw::onetbb {

/// Lets the calling task wait until the count is zero, running tasks of its own deque meanwhile. Returns on the thread
/// that it was called on.
void wait_here(wait_context& of) noexcept;

/// Suspends the calling task until notify(key), unless is_over(key). It goes on on the calling thread. It may also go
/// on without either.
void park(const void* key, bool (*is_over)(const void*)) noexcept;
/// Lets the tasks go on that wait with this key. What has the address may be gone.
void notify(const void* key) noexcept;

/// Called in the child of a fork().
void forget_waits() noexcept;

}  // namespace jackdaw::onetbb
