#pragma once

#include "trace/task_tree.hpp"

namespace jackdaw::analysis {

/// For programs whose leaves' work does not depend on the data. Gives the same time, their tenth percentile, to all
/// steps that declare accesses of the same shape (the same number, lengths, rows and strides, reads and writes alike),
/// and likewise to all steps that declare none. This removes disturbances of a recording even on a busy computer.
void equalise_times(trace::task_tree& tree);

/// For programs whose times are known from elsewhere. Steps that declare accesses take `leaf` ns and the others `other`
/// ns, on a core whose compute_rate is 1.
void set_times(trace::task_tree& tree, double leaf, double other);

}  // namespace jackdaw::analysis
