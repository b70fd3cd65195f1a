#pragma once

#include <cstdint>
#include <vector>

#include "sched/data_mover.hpp"
#include "sim/memory/balancing.hpp"
#include "sim/memory/page_heat.hpp"
#include "sim/memory/policy.hpp"
#include "sim/worker.hpp"

namespace jackdaw::sim {

class simulated;

/// The data_mover of `simulated`: where pages are, which of them are hot, and what it takes to find that out and to
/// move them.
class simulated_data final : public sched::data_mover {
 public:
  simulated_data(simulated& home, const policy& placement, std::uint64_t seed)
      : home_(home), allowed_(placement.nodes), seed_(seed) {}

  /// To be called once, when the engine's squads are known.
  void find_nodes();
  /// Copies the next piece of what `self` moves. False: all is copied, and the worker goes on.
  bool go_on_copying(worker& self);
  const balancing_cost& cost() const noexcept { return cost_; }

  // sched::data_mover
  const std::vector<sched::memory_node>& nodes() const noexcept override { return nodes_; }
  void touch_to(sched::worker_id self, std::uint32_t node) noexcept override;
  void watch(sched::worker_id self, std::uint32_t parts) override;
  std::vector<sched::area> watched(sched::worker_id self) override;
  std::uint64_t move_area(sched::worker_id self, std::uint32_t index, std::uint32_t node) override;

 private:
  double lookers() const noexcept;
  void lose_lookers(worker& asking);

  simulated& home_;
  std::vector<sched::memory_node> nodes_;
  std::vector<unsigned> node_ids_;  // of nodes_, as the machine numbers them
  std::vector<unsigned> allowed_;   // by the placement; empty: all nodes
  std::vector<page_heat::area> areas_;
  balancing_cost cost_;
  double watched_since_ = 0;
  std::uint64_t seed_ = 1;
};

}  // namespace jackdaw::sim
