#pragma once

#include "runtime/worker.hpp"
#include "tbb/record.hpp"

namespace jackdaw::onetbb {

/// Puts a task into the deque of the calling worker, or into its arena's inbox if that is full.
void push(detail::worker& on, record& one);

/// Takes what is in the arena's inbox into the worker's deque; in an isolated task only what was forked within that.
/// False: there was nothing.
bool unpack(detail::worker& on, arena& from) noexcept;

/// Called at the end of an isolated task: what is left in the worker's deque is others' to run from now on.
void leave_behind(detail::worker& on);

/// Runs what is in the arena's inbox, and what that leaves in the worker's deque. The body of the root that
/// arena::put() sends.
void run_inbox() noexcept;

}  // namespace jackdaw::onetbb
