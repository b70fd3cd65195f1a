#pragma once

#include <cstdint>
#include <vector>

#include "trace/task_tree.hpp"

namespace jackdaw::analysis {

/// A stretch of a root's own steps: one that it computes alone, or one from the fork that opens a group while none is
/// open to the wait that leaves none open. The phases of a root follow one another and are all of it.
struct phase {
  trace::task steps;        ///< of task_tree::ops; whatever walks a task can walk a phase
  bool forks = false;       ///< else it only computes
  std::uint32_t group = 0;  ///< of one that forks: the group opened first
};
std::vector<phase> phases_of(const trace::task_tree& tree, const trace::root& of);

/// The root that a recording is about: the last one called "run", else the last; null if there is none.
const trace::root* main_root(const trace::task_tree& tree);

/// The iterations of a root: those of its phases that fork, from the call site that opens most of them.
std::vector<phase> iterations_of(const trace::task_tree& tree, const trace::root& of);

}  // namespace jackdaw::analysis
