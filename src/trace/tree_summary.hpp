#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/task_tree.hpp"

namespace jackdaw::trace {

/// A tree, or one root's part of it, in numbers. Times are sums of what was recorded.
struct tree_summary {
  std::size_t tasks = 0;
  std::size_t leaves = 0;  ///< tasks that fork nothing
  std::size_t forks = 0;
  std::size_t accesses = 0;
  std::uint64_t bytes_read = 0, bytes_written = 0;  ///< declared; a repeated declaration counts again
  double work = 0;                                  ///< ns: T1, on one worker
  double critical_path = 0;  ///< ns: T-infinity, with unlimited workers; roots run one after another
};

tree_summary summarise(const task_tree& tree);
tree_summary summarise(const task_tree& tree, const root& part);

}  // namespace jackdaw::trace
