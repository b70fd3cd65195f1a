#pragma once

#include "trace/task_tree.hpp"

namespace jackdaw::analysis {

/// Takes over the time of each step that took less in another recording of the same program. What interrupts a
/// recording now and then, another program's turn on the processor above all, is so left out: the more recordings the
/// surer. False, and nothing done, if the trees differ in more than times.
bool keep_fastest(trace::task_tree& tree, const trace::task_tree& other);

}  // namespace jackdaw::analysis
