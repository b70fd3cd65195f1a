#pragma once

#include "kernels/common/kernel.hpp"
#include "trace/task_tree.hpp"

namespace jackdaw::cli {

/// Runs jackdaw's side of a kernel once, serially, and returns what it forked: root "prepare", then root "run". The
/// kernel is told that there are `workers` workers. The result is checked, which is not part of the recording. Throws
/// jackdaw::error for a request that the kernel does not take, and kernels::check_failed for a wrong result.
trace::task_tree record_kernel(const kernels::kernel& kernel, const kernels::request& request, unsigned workers);

/// Records up to `times` times and keeps each step's fastest time, as long as the recordings differ in nothing else.
trace::task_tree record_fastest(const kernels::kernel& kernel, const kernels::request& request, unsigned workers,
                                unsigned times);

}  // namespace jackdaw::cli
