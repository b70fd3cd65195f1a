#pragma once

#include <algorithm>
#include <cstdint>

#include "sched/data_mover.hpp"

namespace jackdaw::sched {

/// Nodes carry what is read and what is written together, links each direction apart. A stencil reads so much of it.
constexpr double part_read = 2.0 / 3;

/// How many workers work from a memory node, each with an equal part of the data, and what it gives them. All rates are
/// in the unit of memory_node. A node of which no rate is known gives nothing to workers of other squads.
struct node_crowd {
  double own = 0;   ///< workers of its squad
  double from = 0;  ///< workers of other squads

  /// Returns what one more worker of another squad would get.
  double gives_far(const memory_node& node) const noexcept {
    return std::min({node.far_rate, links(node) / (from + 1), node.bandwidth / (own + from + 1)});
  }
  /// Returns what all of its workers get together.
  double gives(const memory_node& node) const noexcept {
    return std::min(node.bandwidth, own * node.rate + std::min(from * node.far_rate, links(node)));
  }
  /// Returns the time that it takes to give each of its workers one unit, if they take it as fast as it comes.
  double time(const memory_node& node) const noexcept {
    return std::max((own + from) / node.bandwidth, from > 0 ? from / links(node) : 0);
  }

 private:
  static double links(const memory_node& node) noexcept { return node.far_bandwidth / part_read; }
};

}  // namespace jackdaw::sched
