#pragma once

#include <cstdint>
#include <vector>

#include "jackdaw/machine.hpp"
#include "numa/node_view.hpp"
#include "sched/data_mover.hpp"

namespace jackdaw::detail {

/// The memory nodes that a scheduler on threads is told of, and what the operating system calls them.
struct memory_nodes {
  /// Those of `view` that may be used; one, of squad 0, if it has none.
  static memory_nodes of(const numa::memory_view& view, const machine& where, const std::vector<sched::squad>& squads,
                         const std::vector<worker_place>& places);

  /// Those that the cpuset and the policy of the calling thread (`numactl --membind`) allow.
  static memory_nodes here(const machine& where, const std::vector<sched::squad>& squads,
                           const std::vector<worker_place>& places);

  /// Index of a node of the operating system's; sched::none if the scheduler is not told of it.
  std::uint32_t index_of(int node) const noexcept;

  std::vector<sched::memory_node> nodes;
  std::vector<unsigned> os;  ///< of each
};

}  // namespace jackdaw::detail
