#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "machine/model.hpp"
#include "sched/data_mover.hpp"
#include "sim/memory/balancing.hpp"
#include "sim/memory/memory.hpp"
#include "sim/memory/page_heat.hpp"
#include "sim/memory/policy.hpp"
#include "sim/memory/routes.hpp"
#include "sim/memory/traffic.hpp"
#include "sim/worker.hpp"

namespace jackdaw::sim {

/// The data_mover of `simulated`: knows where pages are and which of them are hot, and what it costs to find that out
/// and to move them.
class simulated_data final : public sched::data_mover {
 public:
  /// The parts of the simulation that it uses.
  struct surroundings {
    const machine_model& machine;
    const routes& ways;
    memory& pages;
    traffic& movements;
    std::vector<worker>& crew;
    const std::vector<sched::squad>& squads;
    const double& now;                  ///< ns
    std::function<void(worker&)> call;  ///< has an idle worker act, although it has nothing to run
  };

  /// Everything in `around` must outlive it.
  simulated_data(const surroundings& around, const policy& placement, std::uint64_t seed, hotness sees)
      : machine_(around.machine),
        ways_(around.ways),
        memory_(around.pages),
        traffic_(around.movements),
        crew_(around.crew),
        squads_(around.squads),
        now_(around.now),
        call_(around.call),
        allowed_(placement.what == policy::kind::serial ? std::vector<unsigned>() : placement.nodes),
        seed_(seed),
        sees_(sees) {}

  /// Has to be called once, when the engine's squads are known.
  void find_nodes();
  /// Copies the next piece of what `self` moves, or has it wait for those that copy for it. False: everything is
  /// copied, and the worker continues.
  bool go_on_copying(worker& self);
  const balancing_cost& cost() const noexcept { return cost_; }
  /// Whether pages have been sampled, by the seed.
  bool sampled() const noexcept { return sampled_; }

  // sched::data_mover
  const std::vector<sched::memory_node>& nodes() const noexcept override { return nodes_; }
  void touch_to(sched::worker_id self, std::uint32_t node) noexcept override;
  void watch(sched::worker_id self, std::uint32_t parts) override;
  void watch_users(sched::worker_id self, std::uint32_t parts) override;
  std::vector<sched::area> watched(sched::worker_id self) override;
  void move_areas(sched::worker_id self, std::span<sched::area_move> moves, double most) override;

 private:
  void find_farthest(unsigned id, sched::memory_node& node) const noexcept;
  std::vector<sched::area> used();
  sched::area area_of(std::uint64_t first, std::uint64_t count, double least) const;
  worker& mover_for(worker& asking, std::uint32_t squad);
  double lookers() const noexcept;
  void lose_lookers(worker& asking);

  const machine_model& machine_;
  const routes& ways_;
  memory& memory_;
  traffic& traffic_;
  std::vector<worker>& crew_;
  const std::vector<sched::squad>& squads_;
  const double& now_;
  const std::function<void(worker&)> call_;
  std::vector<sched::memory_node> nodes_;
  std::vector<unsigned> node_ids_;  // of nodes_: their numbers in the machine
  std::vector<unsigned> allowed_;   // by the placement; empty: all nodes
  struct page_range {
    std::uint64_t first, count;
  };
  std::vector<page_range> areas_;  // of the last watched()
  balancing_cost cost_;
  double watched_since_ = 0;
  bool sampled_ = false;
  std::uint64_t seed_ = 1;
  hotness sees_;
};

}  // namespace jackdaw::sim
