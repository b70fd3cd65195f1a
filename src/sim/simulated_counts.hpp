#pragma once

#include <vector>

#include "machine/model.hpp"
#include "sched/work_counter.hpp"
#include "sim/memory/memory.hpp"
#include "sim/shared_cores.hpp"
#include "sim/worker.hpp"

namespace jackdaw::sim {

/// The work_counter of `simulated`: the misses of its workers' leaves, and the instructions that were recorded.
class simulated_counts final : public sched::work_counter {
 public:
  /// All arguments must outlive it.
  simulated_counts(const machine_model& machine, const std::vector<worker>& crew, const memory& data,
                   const shared_cores& cores) noexcept
      : machine_(machine), crew_(crew), memory_(data), cores_(cores) {}

  sched::evidence profile(sched::worker_id, bool) override { return sched::evidence::simulation; }
  sched::counts counts_of(sched::worker_id who) override;
  bool sees_memory() const noexcept override { return true; }

  /// The core's misses and what it got from memory.
  sched::counts of_core(unsigned core) const;

 private:
  const machine_model& machine_;
  const std::vector<worker>& crew_;
  const memory& memory_;
  const shared_cores& cores_;
};

}  // namespace jackdaw::sim
