#pragma once

#include "trace/task_tree.hpp"

namespace jackdaw::analysis {

/// For each step, takes over the time from another recording of the same program if it is shorter, and likewise the
/// recording core's speed if it is higher. This removes occasional interruptions, above all other programs' turns on
/// the processor; more recordings remove more of them. Returns false and changes nothing if the trees differ in more
/// than times.
bool keep_fastest(trace::task_tree& tree, const trace::task_tree& other);

}  // namespace jackdaw::analysis
