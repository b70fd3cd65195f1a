#pragma once

#include <cstdint>
#include <vector>

#include "trace/task_tree.hpp"

namespace jackdaw::analysis {

/// A stretch of a root's own steps. Either the root only computes in it, or it extends from a fork that opens a group
/// while none is open to the wait that leaves none open. A root is the sequence of its phases.
struct phase {
  trace::task steps;        ///< of task_tree::ops; code that walks a task can walk a phase
  bool forks = false;       ///< else it only computes
  std::uint32_t group = 0;  ///< if it forks: the group opened first
};
std::vector<phase> phases_of(const trace::task_tree& tree, const trace::root& of);

/// The main root of a recording: the last one labelled "run", else the last; null if there is none.
const trace::root* main_root(const trace::task_tree& tree);

/// The iterations of a root: its forking phases from the call site that opens most of them.
std::vector<phase> iterations_of(const trace::task_tree& tree, const trace::root& of);

}  // namespace jackdaw::analysis
