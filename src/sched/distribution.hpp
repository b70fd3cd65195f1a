#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sched/engine.hpp"
#include "sched/settings.hpp"
#include "sched/span.hpp"

namespace jackdaw::sched {

/// Maps the data of a task to a memory node. Nodes follow one another along the span; each node's share of it is its
/// share of the bandwidth (BATS Eq. 1), or all are equal. A leaf belongs to the node in whose part its span begins. Of
/// n leaves with equal spans, a node with the part [b, e) has those from ceil(n * b) to ceil(n * e) - 1 (Eq. 2); so
/// every leaf has exactly one node.
class distribution {
 public:
  /// There must be at least one node. `weighted`: by bandwidth.
  distribution(std::span<const memory_node> nodes, node_sequence order, bool weighted);

  /// Returns the index of the task's node in `nodes`.
  std::uint32_t node_of(const jackdaw::sched::span& part) const noexcept;

 private:
  std::vector<std::uint32_t> nodes_;  // in their order along the span
  std::vector<std::uint64_t> ends_;   // of their parts; the last one is span::one
};

}  // namespace jackdaw::sched
