#pragma once

#include "tbb/frame.hpp"
#include "tbb/record.hpp"

namespace jackdaw::onetbb {

/// Runs a task, and those that it and its followers return to be run next, in their group. If the group has been
/// cancelled, cancel() is called in place of execute(). What a task throws is kept in its context, which is cancelled.
void run_chain(d1::task* first, frame& in) noexcept;

/// Runs a task that has been taken from a deque or an inbox, on the calling stack.
void run_here(record& taken) noexcept;
/// The body of a task's record: the same on a fiber of its own.
detail::fiber* run_on_fiber(detail::entry* taken) noexcept;

/// Rethrows what a task of the group has thrown.
void rethrow(context& of);

/// How many tasks have run on jackdaw's workers. For tests.
unsigned long tasks_run() noexcept;

}  // namespace jackdaw::onetbb
