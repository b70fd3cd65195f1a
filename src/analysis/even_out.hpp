#pragma once

#include "trace/task_tree.hpp"

namespace jackdaw::analysis {

/// For programs whose leaves' work does not depend on the data: gives all steps that declare accesses of the same shape
/// (as many, of the same lengths, rows and strides, reads or writes alike) the same time, which a tenth of them stayed
/// below, and likewise all steps that declare none. What disturbed a recording is so left out even on a busy computer.
void even_out(trace::task_tree& tree);

/// For programs whose times are known from elsewhere: steps that declare accesses take `leaf` ns, the others `other`
/// ns, on a core whose compute_rate is 1.
void set_times(trace::task_tree& tree, double leaf, double other);

}  // namespace jackdaw::analysis
