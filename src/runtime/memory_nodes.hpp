#pragma once

#include <cstdint>
#include <vector>

#include "jackdaw/machine.hpp"
#include "numa/node_view.hpp"
#include "sched/data_mover.hpp"

namespace jackdaw::detail {

/// The memory nodes that a scheduler on threads knows, and their numbers in the operating system.
struct memory_nodes {
  /// Returns the nodes of `view` that may be used; if there are none, one node, of squad 0.
  static memory_nodes of(const numa::memory_view& view, const machine& where, const std::vector<sched::squad>& squads,
                         const std::vector<worker_place>& places);

  /// Returns the nodes that the cpuset and the policy of the calling thread (`numactl --membind`) allow.
  static memory_nodes here(const machine& where, const std::vector<sched::squad>& squads,
                           const std::vector<worker_place>& places);

  /// Returns the index of the operating system's node; sched::none if the scheduler does not know it.
  std::uint32_t index_of(int node) const noexcept;

  std::vector<sched::memory_node> nodes;
  std::vector<unsigned> os;  ///< number of each node
  /// By squad: the processors of its workers, by the operating system's numbers; missing or empty: they are not pinned.
  std::vector<std::vector<unsigned>> cpus;
};

}  // namespace jackdaw::detail
