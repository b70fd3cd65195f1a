#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sched/engine.hpp"
#include "sched/settings.hpp"
#include "sched/span.hpp"

namespace jackdaw::sched {

/// Which memory node the data of a task belong to: nodes follow one another along the span, each with a part as its
/// bandwidth is of all nodes' (BATS Eq. 1), or with equal parts. A leaf belongs to the node in whose part its span
/// begins. Of n leaves with equal spans that are those from ceil(n * b) to ceil(n * e) - 1, both included, where the
/// node's part is [b, e): Eq. 2, by which every leaf has exactly one node.
class distribution {
 public:
  /// At least one node. `weighted`: by bandwidth.
  distribution(std::span<const memory_node> nodes, node_sequence order, bool weighted);

  /// Index of the node in `nodes`.
  std::uint32_t node_of(const jackdaw::sched::span& part) const noexcept;

 private:
  std::vector<std::uint32_t> nodes_;  // in their order along the span
  std::vector<std::uint64_t> ends_;   // of their parts; the last one is span::one
};

}  // namespace jackdaw::sched
