#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/tiers.hpp"
#include "sched/decision.hpp"
#include "sched/task_runner.hpp"

namespace jackdaw::sim {

/// What a simulation did with each step and task of its tree.
struct execution {
  /// A phase that forks, see analysis::phases_of.
  struct phase {
    std::uint32_t group = 0;              ///< the one that was opened first
    double began = 0, ended = 0;          ///< ns
    std::size_t frames = 0;               ///< the most in use at once
    std::optional<sched::decision> rule;  ///< what the scheduler decided for it, if it decides such things
    std::int64_t value = 0;               ///< of that decision
  };
  std::vector<double> took;             ///< by op: ns that a compute step took, waiting for its data included
  std::vector<sched::worker_id> by;     ///< by op: the worker of a compute step; 0 for other steps
  std::vector<analysis::place> places;  ///< by task
  std::vector<phase> phases;            ///< of all roots, in order
  std::vector<sched::squad> squads;
};

}  // namespace jackdaw::sim
