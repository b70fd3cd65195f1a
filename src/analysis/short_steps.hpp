#pragma once

#include "trace/task_tree.hpp"

namespace jackdaw::analysis {

/// Whether most of the root's recorded work is in steps below a microsecond. Their times are mostly error: a clock
/// ticks every 10 ns or so, and what recording costs is known to a ns at best.
bool has_short_steps(const trace::task_tree& tree, const trace::root& root);

/// Corrects the short steps of a root that has_short_steps and no accesses, for which a run would also wait. `run` is
/// the ns that the root took unrecorded, on one worker of the same computer, and `fork` those of a fork with its join
/// in this. Multiplies all short steps by one factor, so that steps and forks take as long as the run did; 0 if the
/// forks alone take longer.
void fit_short_steps(trace::task_tree& tree, const trace::root& root, double run, double fork);

}  // namespace jackdaw::analysis
