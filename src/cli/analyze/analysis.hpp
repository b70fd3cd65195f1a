#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/bounds.hpp"
#include "machine/model.hpp"
#include "sim/simulate.hpp"
#include "trace/task_tree.hpp"

namespace jackdaw::cli {

/// How a phase was scheduled, which decides what bounds it.
enum class phase_rule : std::uint8_t {
  serial,  ///< nothing was forked
  plain,   ///< any worker could take any task: T1/P + T-infinity
  closed,  ///< each squad had its own tasks, as in LAWS' first iteration: T1/n + T-infinity, whatever the division
  squads,  ///< packed: LAWS Eq. 13, CAB Eq. 12
  marked,  ///< the program itself marked its inter-socket tasks: T1 + T-infinity
};
const char* name_of(phase_rule which) noexcept;

/// Part of a program, or all of it, under one scheduler. Times in ns.
struct part_analysis {
  analysis::tiers of;       ///< with the times that steps took in the simulation
  double printed = 0;       ///< computed: the bound on time as the papers print it
  double bound = 0;         ///< computed: the same, with the time a squad needs for a subtree as the subtree's span
  double charged = 0;       ///< computed: `bound` plus the machine's costs of forks, steals and looks (sim::charges_of)
  double time = 0;          ///< simulated
  std::uint64_t space = 0;  ///< computed: frames that Eq. 15 allows
  std::size_t frames = 0;   ///< simulated: the most in use at once
};

struct scheduler_analysis {
  std::string scheduler;
  analysis::squad_count crew;           ///< its squads; those of unequal size all count as large as the smallest
  phase_rule rule = phase_rule::plain;  ///< of the last iteration
  std::int64_t decided = 0;             ///< with it: the packing's step, or CAB's boundary level
  std::vector<std::size_t> phases;      ///< number of phases under each rule
  part_analysis iteration, whole;
};

/// A program on a machine.
struct program_analysis {
  unsigned workers = 0;
  analysis::tiers iteration, whole;  ///< from recorded times, at the machine's speed, without moving data
  std::size_t iterations = 0;        ///< of the region that the program's run opens most often
  std::vector<scheduler_analysis> under;
};

/// Simulates `tree` once with each scheduler; `like` gives everything else. "iteration" is the last of the main root's
/// iterations. The whole is the sum of all roots' phases, each bounded according to how it was scheduled. Throws
/// jackdaw::error for a tree whose main root forks nothing, and for whatever sim::simulate refuses.
program_analysis analyze(const trace::task_tree& tree, const machine_model& machine,
                         const std::vector<std::string>& schedulers, const sim::scenario& like);

}  // namespace jackdaw::cli
