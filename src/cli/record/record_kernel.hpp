#pragma once

#include "cli/terminal/progress.hpp"
#include "kernels/common/kernel.hpp"
#include "trace/interruptions.hpp"
#include "trace/task_tree.hpp"

namespace jackdaw::cli {

/// Runs jackdaw's side of a kernel once, serially, and returns its task tree: root "prepare", then root "run". The
/// kernel forks as if there were `workers` workers. The result is checked; the check is not recorded. Throws
/// jackdaw::error for a request that the kernel does not take, and kernels::check_failed for a wrong result. Sets
/// `disturbed`, unless null, to what other programs did meanwhile.
trace::task_tree record_kernel(const kernels::kernel& kernel, const kernels::request& request, unsigned workers,
                               trace::interruptions* disturbed = nullptr);

/// Records up to `times` times and keeps each step's fastest time. Stops early when recordings differ in more than
/// times. If the kernel declares no accesses, its short steps are fitted to as many runs that are not recorded
/// (analysis::fit_short_steps). Says in a line on stderr if other programs disturbed even the best recording so much
/// that its times are wrong. `shown` may be null.
trace::task_tree record_fastest(const kernels::kernel& kernel, const kernels::request& request, unsigned workers,
                                unsigned times, progress* shown = nullptr);

}  // namespace jackdaw::cli
