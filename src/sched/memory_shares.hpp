#pragma once

#include <cstdint>
#include <vector>

#include "sched/engine.hpp"

namespace jackdaw::sched {

/// Which memory node each worker works from: a node of its own squad, so that all workers of the squad get as much as
/// its nodes can give. A worker gets min(what one worker can stream from the node, the node's bandwidth / its workers).
/// The nodes are filled from the fastest on, and a slower one gets workers only when the faster ones are so crowded
/// that it gives a worker clearly more. Where one worker's rate is not known, all work from the fastest node.
class memory_shares {
 public:
  /// Until then no worker has a node.
  void start(const engine& on);

  /// Returns the index of the worker's node in data_mover::nodes(); none: its squad has no node.
  std::uint32_t node_of(worker_id worker) const noexcept { return worker < of_.size() ? of_[worker] : none; }
  /// Returns a node of this squad, such that `index` = 0, 1, 2 ... get its nodes in the shares that its workers have.
  std::uint32_t node_in(std::uint32_t squad, std::uint32_t index) const noexcept;
  /// Returns the number of nodes that workers work from.
  std::uint32_t nodes() const noexcept { return used_; }
  /// Whether a squad has two nodes or more, so that it matters which of them data are on.
  bool matter() const noexcept { return matter_; }

 private:
  void divide(worker_range workers, const std::vector<std::uint32_t>& its, const std::vector<memory_node>& nodes);

  std::vector<worker_range> squads_;
  std::vector<std::uint32_t> of_;  // by worker
  std::uint32_t used_ = 0;
  bool matter_ = false;
};

}  // namespace jackdaw::sched
