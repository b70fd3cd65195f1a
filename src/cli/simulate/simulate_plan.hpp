#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/kernel_options.hpp"
#include "cli/result_file.hpp"
#include "cli/scheduler_options.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/progress.hpp"
#include "machine/model.hpp"
#include "sim/simulate.hpp"
#include "trace/task_tree.hpp"

namespace jackdaw::cli {

/// The command line of `jackdaw simulate` as typed.
struct simulate_arguments {
  kernel_arguments kernel;  ///< or a trace, in place of the kernel's name
  scheduler_arguments schedulers{.names = "random,adws", .data_size = {}, .branching = {}, .node_order = {}};
  std::string machine, events, placements = "first-touch", memory = "all", sweep, order;
  std::string seeds = "5", seed = "1", rehint, recordings = "5", jobs, hotness = "accessed-bits";
  bool no_rescues = false, json = false, counters = false;
  store_arguments store;
};

/// A key with the values that it takes in turn. The key is a figure of the machine, or "workers".
struct sweep {
  std::string key;
  std::vector<std::string> values;
};

/// What to simulate: every combination of sweep value, placement and scheduler, `seeds` times.
struct simulate_plan {
  std::optional<chosen_kernel> kernel;  ///< else:
  std::string trace;                    ///< a file
  machine_model machine;
  std::vector<std::string> schedulers, placements;
  std::optional<cli::sweep> sweep;
  sched::settings told;  ///< what the schedulers are told about the program
  std::string rehint;    ///< the hints that replace the program's (trace::rehint); empty: none do
  std::string events;    ///< file for the events of the only simulation; empty: none
  unsigned workers = 0;  ///< 0: one for each core of the machine
  bool scatter = true;
  unsigned seeds = 1, seed = 1, recordings = 1;
  unsigned jobs = 0;  ///< simulations at once; 0: as many as there are processors and memory for
  bool rescues = true;
  sim::hotness sees = sim::hotness::accessed_bits;
};

/// Throws jackdaw::error for arguments that do not fit together, before anything runs.
simulate_plan plan_simulation(const simulate_arguments& given);

/// The number of workers asked for; 0 means one per core. Throws jackdaw::error for more workers than cores.
unsigned workers_on(const machine_model& machine, unsigned workers);

/// The plan's trace, or its kernel recorded for `workers` workers.
trace::task_tree task_tree_of(const simulate_plan& plan, unsigned workers, progress& shown);

/// Tells in a line on stderr if the program was recorded for another number of workers, which only a trace can be.
void note_workers(const simulate_plan& plan, unsigned recorded_for, unsigned workers);

/// One scheduler with one placement and one value of the sweep.
struct simulate_row {
  std::string value;  ///< of the sweep; empty without one
  std::string placement, scheduler;
  unsigned workers = 0;
  unsigned recorded_for = 0;            ///< workers
  std::vector<sim::outcome> runs;       ///< one for each seed that all rows with this value have
  std::vector<std::string> sites = {};  ///< of the recording
  /// Of the whole program on that machine, in ns: T1, T-infinity, and the latter with the runtime's own work.
  double work = 0, span = 0, burdened_span = 0;
};

struct simulate_result {
  std::string started;  ///< UTC, ISO 8601
  std::string program;
  std::vector<simulate_row> rows;
  bool declares_accesses = false;
};

/// Records the kernel, if the plan has one, and simulates every row, several simulations at once, seed by seed. At any
/// time `found` has the seeds that are complete: those of all rows with the same value of the sweep.
void run_simulation(const simulate_plan& plan, guarded<simulate_result>& found, progress& shown);

}  // namespace jackdaw::cli
