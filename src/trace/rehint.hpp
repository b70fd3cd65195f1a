#pragma once

#include <string_view>

#include "trace/task_tree.hpp"

namespace jackdaw::trace {

/// Replaces the work hints of a recording, as if its program gave others. What its tasks do stays. The
/// program's name tells.
///
/// - "none": none. Branches of an invoke count 1 each, as they do without hints.
/// - "exact": the recorded time of each child with all that it forks.
/// - "fixed:A": the exact hints of a group's children times 1 - A for the first to 1 + A for the last, evenly between.
/// - "random:A": the exact hints times 1 + r A, with r uniform in [-1, 1], drawn for each child; the same in each run.
///
/// A is from 0 to 1. The last two are after the wrong estimates of ADWS (SC'19, section 5.4), for any number of
/// children. Of the paper's four, the middle ones are off by A/2 under the deterministic estimate, here by A/3. Throws
/// jackdaw::error for anything else.
void rehint(task_tree& tree, std::string_view how);

/// Throws jackdaw::error if rehint() would.
void check_rehint(std::string_view how);

}  // namespace jackdaw::trace
