#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "analysis/phases.hpp"
#include "analysis/tiers.hpp"
#include "analysis/time_factors.hpp"
#include "base/worker_count.hpp"
#include "cli/simulate/jobs.hpp"
#include "cli/simulate/simulate_plan.hpp"
#include "cli/text.hpp"
#include "machine/machine_file.hpp"
#include "sim/charged.hpp"
#include "sim/memory/memory.hpp"
#include "trace/event_file.hpp"
#include "trace/rehint.hpp"

namespace jackdaw::cli {
namespace {

/// The recordings that a plan needs: one for each number of workers, because loops fork according to that number.
class recordings {
 public:
  recordings(const simulate_plan& plan, progress& shown) : plan_(plan), shown_(shown) {}

  const trace::task_tree& with(unsigned workers) {
    trace::task_tree& tree = trees_[plan_.kernel ? workers : 0];
    if (!tree.roots.empty()) return tree;
    tree = task_tree_of(plan_, workers, shown_);
    if (!plan_.rehint.empty()) trace::rehint(tree, plan_.rehint);
    return tree;
  }

 private:
  const simulate_plan& plan_;
  progress& shown_;
  std::map<unsigned, trace::task_tree> trees_;
};

/// Finds the work and the critical path of the roots, one after another. Those of a value of the sweep are alike.
void measure_tree(simulate_row& row, const trace::task_tree& tree, const machine_model& machine) {
  analysis::charges bare, charged = sim::charges_of(machine, {1, row.workers});
  bare.scale = charged.scale = analysis::time_factors(tree, machine);
  for (const trace::root& root : tree.roots) {
    for (const analysis::phase& part : analysis::phases_of(tree, root)) {
      const analysis::tiers of = analysis::split(tree, part.steps, {}, row.workers, bare);
      row.work += of.work;
      row.span += of.critical_path;
      row.burdened_span += analysis::split(tree, part.steps, {}, row.workers, charged).critical_path;
    }
  }
}

/// The rows with one value of the sweep. Their simulations end in any order; rows get those of complete seeds.
class part {
 public:
  part(guarded<simulate_result>& found, std::vector<simulate_row> rows, unsigned seeds)
      : found_(found), rows_(rows.size()), ended_(rows.size() * seeds) {
    const std::lock_guard hold(found_.changing);
    first_ = found_.value.rows.size();
    std::move(rows.begin(), rows.end(), std::back_inserter(found_.value.rows));
  }

  std::size_t simulations() const { return ended_.size(); }
  /// What a simulation is of. They go through all rows before the next seed.
  const simulate_row& row_of(std::size_t job) const { return found_.value.rows[first_ + job % rows_]; }
  std::size_t seed_of(std::size_t job) const { return job / rows_; }

  /// Returns how many simulations have ended.
  std::size_t ended(std::size_t job, sim::outcome of) {
    const std::lock_guard hold(found_.changing);
    ended_[job] = std::move(of);
    ++count_;
    while (complete_ * rows_ < ended_.size() && next_is_complete()) {
      for (std::size_t row = 0; row < rows_; ++row) {
        found_.value.rows[first_ + row].runs.push_back(*std::exchange(ended_[complete_ * rows_ + row], std::nullopt));
      }
      ++complete_;
    }
    return count_;
  }

 private:
  bool next_is_complete() const {
    const auto seed = ended_.begin() + static_cast<std::ptrdiff_t>(complete_ * rows_);
    return std::all_of(seed, seed + static_cast<std::ptrdiff_t>(rows_),
                       [](const auto& each) { return each.has_value(); });
  }

  guarded<simulate_result>& found_;
  std::size_t first_ = 0;
  const std::size_t rows_;
  std::vector<std::optional<sim::outcome>> ended_;  ///< by job, until its seed is complete
  std::size_t count_ = 0, complete_ = 0;            ///< simulations, seeds
};

std::vector<simulate_row> rows_with(const simulate_plan& plan, const std::string& value, unsigned workers,
                                    const trace::task_tree& tree, const machine_model& machine) {
  simulate_row alike{value, {}, {}, workers, tree.workers, {}, tree.sites};
  measure_tree(alike, tree, machine);
  std::vector<simulate_row> rows;
  for (const std::string& placement : plan.placements) {
    for (const std::string& scheduler : plan.schedulers) {
      rows.push_back(alike);
      rows.back().placement = placement;
      rows.back().scheduler = scheduler;
    }
  }
  return rows;
}

}  // namespace

void run_simulation(const simulate_plan& plan, guarded<simulate_result>& found, progress& shown) {
  recordings recorded(plan, shown);
  const std::string started = utc_now();
  const std::vector<std::string> values = plan.sweep ? plan.sweep->values : std::vector<std::string>{""};
  for (const std::string& value : values) {
    machine_model machine = plan.machine;
    unsigned workers = plan.workers;
    if (plan.sweep && plan.sweep->key == "workers") {
      workers = parse_worker_count(value, "--sweep workers");
    } else if (plan.sweep) {
      set_figure(machine, plan.sweep->key, value);
    }
    workers = workers_on(machine, workers);
    const trace::task_tree& tree = recorded.with(workers);
    {
      const std::lock_guard hold(found.changing);
      found.value.started = started;
      found.value.program = tree.program;
      found.value.declares_accesses = !tree.accesses.empty();
    }
    const std::string what = plan.sweep ? fmt::format("simulating {}={}", plan.sweep->key, value) : "simulating";
    shown.say(what);
    const sim::address_space space(tree, machine);
    part rows(found, rows_with(plan, value, workers, tree, machine), plan.seeds);
    const std::size_t count = rows.simulations();
    shown.say(what, 0, count);
    const unsigned at_once = plan.jobs != 0 ? plan.jobs : jobs_within_memory(sim::memory::footprint(machine, space));
    run_jobs(count, at_once, [&](std::size_t job) {
      const simulate_row& row = rows.row_of(job);
      std::vector<sched::event> events;
      sim::outcome outcome = sim::simulate(tree, space, machine,
                                           {.scheduler = row.scheduler,
                                            .placement = row.placement,
                                            .workers = workers,
                                            .scatter = plan.scatter,
                                            .seed = plan.seed + rows.seed_of(job),
                                            .rescues = plan.rescues,
                                            .sees = plan.sees,
                                            .told = plan.told,
                                            .events = plan.events.empty() ? nullptr : &events});
      if (!plan.events.empty()) trace::write_events(events, plan.events);
      shown.say(what, rows.ended(job, std::move(outcome)), count);
    });
  }
}

}  // namespace jackdaw::cli
