#pragma once

#include <cstdint>
#include <vector>

#include "sched/engine.hpp"
#include "sched/node_crowd.hpp"

namespace jackdaw::sched {

/// Which memory node each worker works from, so that all workers get as much as the nodes can give.
///
/// Within a squad a worker gets min(what one worker can stream from the node, the node's bandwidth / its workers). The
/// nodes are filled from the fastest on, and a slower one gets workers only when the faster ones are so crowded that it
/// gives a worker clearly more. Where one worker's rate is not known, all work from the fastest node.
///
/// Squads may be unequal: one has more workers than another, or a slower node. A worker's part of the computation is as
/// large as any other's, because it may compute rather than move data. So all would wait for those of the most crowded
/// node. Therefore some of its workers work from a node of another squad, as long as the node is what limits it. They
/// are those next to that squad, because neighbours' parts have most in common. All this is done only if it shortens
/// the time that memory takes clearly, and where it is known what is far gives.
class memory_shares {
 public:
  /// Until then no worker has a node.
  void start(const engine& on);

  /// Returns the index of the worker's node in data_mover::nodes(); none: its squad has no node.
  std::uint32_t node_of(worker_id worker) const noexcept { return worker < of_.size() ? of_[worker] : none; }
  /// Returns the node of a worker of this squad, such that `index` = 0, 1, 2 ... get nodes in the shares that the
  /// squad's workers have.
  std::uint32_t node_in(std::uint32_t squad, std::uint32_t index) const noexcept;
  /// Returns the number of nodes that workers work from.
  std::uint32_t nodes() const noexcept { return used_; }
  /// Whether a squad has two nodes or more, or works from another one's, so that it matters which of them data are on.
  bool matter() const noexcept { return matter_; }

 private:
  using nodes_view = const std::vector<memory_node>&;

  void divide(worker_range workers, const std::vector<std::uint32_t>& its, nodes_view nodes);
  void level(nodes_view nodes);
  bool move_one(std::uint32_t from, nodes_view nodes);
  worker_id neighbour(std::uint32_t node, std::uint32_t squad, std::uint32_t other) const noexcept;

  std::vector<worker_range> squads_;
  std::vector<std::uint32_t> of_;   // by worker
  std::vector<node_crowd> crowds_;  // by node
  std::uint32_t used_ = 0;
  bool matter_ = false;
};

}  // namespace jackdaw::sched
