#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <future>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "analysis/equalise_times.hpp"
#include "analysis/phases.hpp"
#include "analysis/tiers.hpp"
#include "analysis/time_factors.hpp"
#include "cli/record/record_kernel.hpp"
#include "cli/simulate/jobs.hpp"
#include "machine/machine_file.hpp"
#include "papers/kept_figures.hpp"
#include "papers/reproduction.hpp"
#include "sched/laws.hpp"
#include "sim/charged.hpp"
#include "sim/memory/memory.hpp"
#include "sim/simulate.hpp"
#include "trace/trace_file.hpp"

namespace jackdaw::cli {
namespace {

/// Returns the KiB that a step writes or, with reads_too, touches.
double amount_of(const trace::task_tree& tree, const trace::op& step, bool reads_too) {
  std::uint64_t bytes = 0;
  for (std::uint32_t a = step.first; a < step.first + step.count; ++a) {
    const trace::access& each = tree.accesses[a];
    if (each.write || reads_too) bytes += each.length * each.rows;
  }
  return static_cast<double>(bytes) / 1024;
}

/// Sets the times of the steps that prepare the data, by the writes that they declare.
void set_preparing_times(trace::task_tree& tree, double per_kib) {
  std::vector<std::uint32_t> tasks;
  for (const trace::root& root : tree.roots) {
    if (root.label == "prepare") tasks.push_back(root.task);
  }
  while (!tasks.empty()) {
    const trace::task task = tree.tasks[tasks.back()];
    tasks.pop_back();
    for (std::uint64_t i = task.first_op; i < task.first_op + task.ops; ++i) {
      trace::op& step = tree.ops[i];
      if (step.what == trace::op::kind::fork) tasks.push_back(step.first);
      const bool writes = step.what == trace::op::kind::compute && step.count != 0;
      if (writes) step.amount = per_kib * amount_of(tree, step, false);
    }
  }
}

void set_times(trace::task_tree& tree, const reproduction::reference_times& times) {
  analysis::set_times(tree, times.leaf, times.other);
  for (trace::op& step : tree.ops) {
    if (step.what != trace::op::kind::compute || step.count == 0) continue;
    const auto exact = times.by_accesses.find(step.count);
    const auto touching = times.touching.find(step.count);
    if (exact != times.by_accesses.end()) {
      step.amount = exact->second;
    } else if (touching != times.touching.end()) {
      step.amount = touching->second * amount_of(tree, step, true);
    } else if (times.per_kib > 0) {
      step.amount = times.per_kib * amount_of(tree, step, false);
    }
  }
  if (times.preparing > 0) set_preparing_times(tree, times.preparing);
}

/// Whether a program's own times count, so that nothing else should run while it is recorded.
bool times_count(const reproduction::program& what, unsigned recordings) {
  return !what.make && (recordings != 0 || what.times.recordings != 0);
}

trace::task_tree record(const reproduction::program& what, unsigned recordings) {
  if (what.make) return what.make();
  const kernels::kernel& kernel = *kernels::find(what.kernel);
  if (!times_count(what, recordings)) {
    trace::task_tree tree = record_kernel(kernel, what.request, what.workers);
    set_times(tree, what.times);
    return tree;
  }
  // Its times differ from step to step by what it works on.
  if (what.times.recordings != 0) return record_fastest(kernel, what.request, what.workers, what.times.recordings);
  trace::task_tree tree = record_fastest(kernel, what.request, what.workers, recordings);
  // The work of kernels that declare accesses does not depend on the data.
  if (!tree.accesses.empty()) analysis::equalise_times(tree);
  return tree;
}

/// Returns the iteration, counted from the profiled one, in which the longest search for a packing ended.
unsigned settled_in(const std::vector<sched::event>& events) {
  unsigned most = 0;
  for (const sched::event& each : events) {
    const bool ended = each.what == sched::event::kind::decide && *each.decided == sched::laws::decisions::settle;
    if (ended) most = std::max(most, 1 + static_cast<unsigned>(each.value));
  }
  return most;
}

reproduction::figures figures_of(const sim::outcome& of, const std::vector<sched::event>& events,
                                 const machine_model& on) {
  const double measured = of.measured;
  reproduction::figures made;
  made.time = of.per_iteration();
  made.whole = of.iterations.empty() ? of.time : std::accumulate(of.iterations.begin(), of.iterations.end(), 0.0);
  made.first = of.iterations.empty() ? of.time : of.iterations.front();
  made.total = of.whole;
  made.local_bytes = static_cast<double>(of.local_bytes) / measured;
  made.remote_bytes = static_cast<double>(of.remote_bytes) / measured;
  made.straggler_bytes =
      static_cast<double>(*std::min_element(of.local_to_node.begin(), of.local_to_node.end())) / measured;
  made.private_misses = static_cast<double>(of.data.private_misses) / measured;
  made.shared_misses = static_cast<double>(of.data.shared_misses) / measured;
  for (std::size_t node = 0; node < on.nodes.size(); ++node) {
    const auto bytes = static_cast<double>(of.data.from_node[node] + of.data.to_node[node]) / measured;
    (on.nodes[node].kind == machine_model::memory_kind::hbm ? made.hbm_bytes : made.dram_bytes) += bytes;
  }
  // A memory-side cache is fast memory in front of another node. What it is filled with counts for that node alone.
  const auto cached = static_cast<double>(of.data.from_side) / measured;
  made.dram_bytes -= cached;
  made.hbm_bytes += cached;
  made.watching = of.balancing.watching;
  made.moving = of.balancing.moving;
  made.moved_bytes = static_cast<double>(of.balancing.moved);
  made.sampled = static_cast<double>(of.balancing.sampled);
  made.idle = of.idle();
  made.settled = settled_in(events);
  return made;
}

/// Returns the ns that an iteration of all these regions takes, in the second half of the iterations of each.
double time_in(const std::vector<std::string>& regions, const sim::outcome& of, const trace::task_tree& tree) {
  double sum = 0;
  for (const std::string& region : regions) {
    std::vector<double> took;
    for (const sim::stretch& each : of.course)
      if (each.site < tree.sites.size() && tree.sites[each.site] == region) took.push_back(each.ended - each.began);
    const auto half = took.begin() + static_cast<std::ptrdiff_t>(took.size() / 2);
    if (half != took.end()) sum += std::accumulate(half, took.end(), 0.0) / static_cast<double>(took.end() - half);
  }
  return sum;
}

/// Adds the workers of the leaves below a task: the steps that declare accesses, in the order of a serial run.
void add_workers(const trace::task_tree& tree, std::uint32_t task, const sim::execution& ran,
                 std::vector<double>& found) {
  const trace::task& of = tree.tasks[task];
  for (std::uint64_t i = of.first_op; i != of.first_op + of.ops; ++i) {
    const trace::op& step = tree.ops[i];
    if (step.what == trace::op::kind::fork) add_workers(tree, step.first, ran, found);
    if (step.what == trace::op::kind::compute && step.count != 0) found.push_back(ran.by[i]);
  }
}

/// Returns the workers of the leaves of a region's last iteration.
std::vector<double> map_of(const std::string& region, const trace::task_tree& tree, const sim::execution& ran) {
  std::vector<double> found;
  const trace::root* const main = analysis::main_root(tree);
  if (main == nullptr) return found;
  const trace::task& root = tree.tasks[main->task];
  std::uint32_t last = static_cast<std::uint32_t>(tree.groups.size());
  for (std::uint64_t i = root.first_op; i != root.first_op + root.ops; ++i) {
    const trace::op& step = tree.ops[i];
    if (step.what != trace::op::kind::fork || tree.sites[tree.groups[step.count].site] != region) continue;
    if (std::exchange(last, step.count) != step.count) found.clear();
    add_workers(tree, step.first, ran, found);
  }
  return found;
}

/// Returns counts at another worker of the same socket, and at workers of other sockets.
std::pair<double, double> local_and_remote(const std::vector<std::uint64_t>& by_distance, double iterations) {
  double local = 0, remote = 0;
  for (std::size_t distance = 1; distance < by_distance.size(); ++distance)
    (distance == 1 ? local : remote) += static_cast<double>(by_distance[distance]) / iterations;
  return {local, remote};
}

reproduction::sample sample_of(const sim::outcome& of) {
  const double measured = of.measured;
  const auto [local_steals, remote_steals] = local_and_remote(of.work.steals, measured);
  const auto [local_false, remote_false] = local_and_remote(of.work.failed, measured);
  return {.time = of.per_iteration(),
          .local_steals = local_steals,
          .remote_steals = remote_steals,
          .local_false = local_false,
          .remote_false = remote_false,
          .local_bytes = static_cast<double>(of.local_bytes) / measured,
          .remote_bytes = static_cast<double>(of.remote_bytes) / measured};
}

/// Sets an iteration's mean work and critical path, without what forks and waits cost.
void set_work(reproduction::figures& made, const trace::task_tree& tree, const machine_model& on) {
  const trace::root* const main = analysis::main_root(tree);
  if (main == nullptr) return;
  analysis::charges cost;
  cost.scale = analysis::time_factors(tree, on);
  const analysis::tiers all = analysis::split(tree, tree.tasks[main->task], {}, 1, cost);
  const double iterations = std::max<double>(1, static_cast<double>(analysis::iterations_of(tree, *main).size()));
  made.work = all.work / iterations;
  made.span = all.critical_path / iterations;
}

/// Returns the work, in ns, of the tasks above the boundary in the program's main part, with what forks and waits cost.
double upper_tier(const trace::task_tree& tree, const sim::execution& ran, const machine_model& on) {
  const trace::root* const main = analysis::main_root(tree);
  if (main == nullptr || ran.squads.empty()) return 0;
  const sched::worker_range& crew = ran.squads.front().workers;
  const unsigned size = crew.last - crew.first + 1;
  analysis::charges cost = sim::charges_of(on, {static_cast<unsigned>(ran.squads.size()), size});
  cost.took = &ran.took;
  return analysis::split(tree, tree.tasks[main->task], ran.places, size, cost).free_work;
}

/// A machine with each factor of the links, then with each assumption that is swept.
struct variants {
  std::vector<machine_model> models;
  std::vector<bool> differs;  ///< from the first one

  /// Whether an experiment on it has to be simulated, because the result of the first one does not stand for it.
  bool needed(const reproduction::experiment& of, std::size_t variant) const {
    return variant == 0 || (differs[variant] && !of.links_given);
  }
};

variants variants_of(const std::string& name, bool sweep) {
  variants made;
  const machine_model plain = reproduction::load_machine(name);
  for (const std::string_view factor : reproduction::links) {
    made.models.push_back(plain);
    if (!plain.links.empty()) set_figure(made.models.back(), "link.bandwidth", factor);
    made.differs.push_back(!plain.links.empty());
  }
  if (!sweep) return made;
  for (const reproduction::assumption& each : reproduction::assumptions) {
    made.models.push_back(plain);
    made.differs.push_back(false);
    for (const machine_model::provenance& known : plain.origins) {
      const bool swept = std::find(each.figures.begin(), each.figures.end(), known.key) != each.figures.end();
      if (!swept || !known.range) continue;
      set_figure(made.models.back(), known.key, fmt::format("{}", (*known.range)[each.end]));
      made.differs.back() = true;
    }
  }
  return made;
}

/// Simulates experiments on one program with every variant of the machine and every seed. Figures come in the order of
/// variants; for each variant in that of experiments; for each of these in that of seeds. What is known to come to the
/// same is simulated once.
std::vector<reproduction::figures> simulate(const reproduction& what, const trace::task_tree& tree,
                                            const std::vector<const reproduction::experiment*>& experiments,
                                            const std::map<std::string, variants>& machines, unsigned seeds,
                                            progress& shown) {
  std::map<std::string, sim::address_space> spaces;
  std::uint64_t largest = 0;
  for (const auto* each : experiments) {
    const std::string& machine = what.machine_of(*each);
    const machine_model& model = machines.at(machine).models.front();
    const auto& space = spaces.try_emplace(machine, tree, model).first->second;
    largest = std::max<std::uint64_t>(largest, sim::memory::footprint(model, space));
  }
  const std::size_t of_one_variant = experiments.size() * seeds;
  std::vector<reproduction::figures> found(of_one_variant * machines.begin()->second.models.size());
  std::vector<char> by_seed(found.size() / seeds);  // whether the seed decides; not bool, because jobs write into it
  const auto experiment_of = [&](std::size_t job) -> const reproduction::experiment& {
    return *experiments[job / seeds % experiments.size()];
  };
  const auto needed = [&](std::size_t job) {
    const reproduction::experiment& each = experiment_of(job);
    return machines.at(what.machine_of(each)).needed(each, job / of_one_variant);
  };
  const auto simulate_one = [&](std::size_t job) {
    const reproduction::experiment& each = experiment_of(job);
    const std::string& machine = what.machine_of(each);
    std::vector<sched::event> events;
    sim::execution ran;
    const machine_model& on = machines.at(machine).models[job / of_one_variant];
    const std::uint64_t first_seed = 1 + job % seeds * std::max(1U, each.samples);
    const sim::scenario first = {.scheduler = each.scheduler,
                                 .placement = each.placement,
                                 .workers = each.workers,
                                 .scatter = each.scatter,
                                 .seed = first_seed,
                                 .told = each.told,
                                 .events = what.memory ? &events : nullptr,
                                 .ran = each.tiers || !each.mapped.empty() ? &ran : nullptr};
    const sim::outcome outcome = sim::simulate(tree, spaces.at(machine), on, first);
    found[job] = figures_of(outcome, events, on);
    if (each.samples != 0) {
      set_work(found[job], tree, on);
      found[job].samples.push_back(sample_of(outcome));
      sim::scenario next = first;
      next.events = nullptr;
      next.ran = nullptr;
      while (found[job].samples.size() < each.samples) {
        next.seed = first_seed + found[job].samples.size();
        found[job].samples.push_back(sample_of(sim::simulate(tree, spaces.at(machine), on, next)));
      }
    }
    if (each.curve) found[job].curve = outcome.iterations;
    if (each.tiers) found[job].upper_tier = upper_tier(tree, ran, on);
    if (!each.regions.empty()) found[job].in_regions = time_in(each.regions, outcome, tree);
    if (!each.mapped.empty()) found[job].map = map_of(each.mapped, tree, ran);
    if (job % seeds == 0) by_seed[job / seeds] = outcome.seeded ? 1 : 0;
  };
  // In parallel on this computer's workers: simulated times depend on neither their number nor their order.
  const unsigned at_once = jobs_within_memory(largest);
  const auto simulate_those = [&](auto&& wanted) {
    std::vector<std::size_t> jobs;
    for (std::size_t job = 0; job < found.size(); ++job)
      if (needed(job) && wanted(job)) jobs.push_back(job);
    std::atomic<std::size_t> ended{0};
    shown.say("simulating");
    run_jobs(jobs.size(), at_once, [&](std::size_t i) {
      simulate_one(jobs[i]);
      shown.say("simulating", ++ended, jobs.size());
    });
  };
  simulate_those([&](std::size_t job) { return job % seeds == 0; });
  simulate_those([&](std::size_t job) { return job % seeds != 0 && by_seed[job / seeds] != 0; });
  for (std::size_t job = 0; job < found.size(); ++job) {
    if (!needed(job)) {
      found[job] = found[job % of_one_variant];
    } else if (job % seeds != 0 && by_seed[job / seeds] == 0) {
      found[job] = found[job - job % seeds];
    }
  }
  return found;
}

/// Returns how many simulations an experiment takes with one seed.
std::size_t simulations_of(const reproduction::experiment& one, const variants& machine) {
  std::size_t count = 0;
  for (std::size_t variant = 0; variant < machine.models.size(); ++variant)
    count += machine.needed(one, variant) ? 1 : 0;
  return count;
}

/// Returns the experiments on a program, and their names.
std::pair<std::vector<const reproduction::experiment*>, std::vector<std::string>> experiments_on(
    const reproduction& what, const reproduction::program& program) {
  std::pair<std::vector<const reproduction::experiment*>, std::vector<std::string>> found;
  for (const reproduction::experiment& each : what.experiments) {
    if (each.program != program.name) continue;
    found.first.push_back(&each);
    found.second.push_back(each.name);
  }
  return found;
}

/// Tells on stderr which program's turn it is.
class course {
 public:
  course(std::size_t programs, std::size_t simulations, progress& shown)
      : programs_(programs), left_(simulations), shown_(shown) {}

  void begin(const std::string& program, std::size_t simulations, bool kept) {
    shown_.clear();
    fmt::print(stderr, "{} of {}: {}, {} simulations{}{}\n", ++begun_, programs_, program, simulations,
               kept ? ", kept" : "", kept ? "" : time_left());
    begun_at_ = clock::now();
  }
  void end(std::size_t simulations, bool kept) {
    left_ -= simulations;
    if (kept) return;
    done_ += simulations;
    took_ += std::chrono::duration<double>(clock::now() - begun_at_).count();
  }

 private:
  using clock = std::chrono::steady_clock;

  std::string time_left() const {
    if (done_ == 0) return "";
    const double seconds = took_ / static_cast<double>(done_) * static_cast<double>(left_);
    return fmt::format("; {:.0f} min so far, about {:.0f} min to go", took_ / 60, std::ceil(seconds / 60));
  }

  std::size_t programs_, begun_ = 0;
  std::size_t left_, done_ = 0;  ///< simulations
  double took_ = 0;              ///< s, for those done
  clock::time_point begun_at_;
  progress& shown_;
};

/// Records programs, one ahead of those that are taken if asked to.
class recordings_ahead {
 public:
  explicit recordings_ahead(unsigned recordings) : recordings_(recordings) {}

  void begin(const reproduction::program& next) {
    next_ = &next;
    tree_ = std::async(std::launch::async, [&next, recordings = recordings_] { return record(next, recordings); });
  }
  trace::task_tree take(const reproduction::program& wanted) {
    if (std::exchange(next_, nullptr) == &wanted) return tree_.get();
    return record(wanted, recordings_);
  }

 private:
  unsigned recordings_;
  const reproduction::program* next_ = nullptr;
  std::future<trace::task_tree> tree_;
};

}  // namespace

machine_model reproduction::load_machine(const std::string& named) {
  std::istringstream words(named);
  std::string word;
  words >> word;
  machine_model made = load_machine_model(word);
  while (words >> word) {
    const std::size_t equals = word.find('=');
    set_figure(made, word.substr(0, equals), word.substr(equals + 1));
  }
  return made;
}

void simulate_all(const reproduction& what, const simulation_options& how, guarded<reproduction::so_far>& found_so_far,
                  progress& shown) {
  std::map<std::string, variants> machines;
  std::string made_with =
      fmt::format("{}, {} seeds, {} recordings, sweep {}\n", what.name, how.seeds, how.recordings, how.sweep);
  for (const std::string& each : what.machines()) {
    machines.emplace(each, variants_of(each, how.sweep));
    made_with += to_toml(machines.at(each).models.front());
  }
  const std::size_t in_all = machines.begin()->second.models.size();
  const auto simulations_with_seeds = [&](const reproduction::experiment& one) {
    return simulations_of(one, machines.at(what.machine_of(one))) * how.seeds;
  };
  const kept_figures kept(how.keep, std::move(made_with));

  found_so_far.value.all.assign(how.seeds, std::vector<reproduction::by_name>(in_all));
  std::size_t to_do = 0;
  for (const reproduction::experiment& each : what.experiments) to_do += simulations_with_seeds(each);
  course told(what.programs.size(), to_do, shown);
  // The next program is recorded while one is simulated, unless the recording's times count.
  recordings_ahead recorded(how.recordings);
  for (std::size_t at = 0; at < what.programs.size(); ++at) {
    const reproduction::program& program = what.programs[at];
    const auto [experiments, names] = experiments_on(what, program);
    std::size_t simulations = 0;
    for (const auto* each : experiments) simulations += simulations_with_seeds(*each);
    const std::size_t jobs = in_all * names.size() * how.seeds;
    std::optional<std::vector<reproduction::figures>> found = kept.find(program.name, names, jobs);
    const bool known = found.has_value();
    told.begin(program.name, simulations, known);
    if (!known) {
      shown.say("recording " + program.name);
      const trace::task_tree tree = recorded.take(program);
      const auto is_new = [&](const reproduction::program& later) {
        const std::vector<std::string> all = experiments_on(what, later).second;
        return !kept.find(later.name, all, in_all * all.size() * how.seeds);
      };
      const auto next =
          std::find_if(what.programs.begin() + static_cast<std::ptrdiff_t>(at) + 1, what.programs.end(), is_new);
      if (next != what.programs.end() && !times_count(*next, how.recordings)) recorded.begin(*next);
      if (!how.traces.empty()) trace::write_trace(tree, how.traces + '/' + file_name(program.name) + ".trace");
      found = simulate(what, tree, experiments, machines, how.seeds, shown);
      kept.add(program.name, names, *found);
    }
    told.end(simulations, known);
    const std::lock_guard hold(found_so_far.changing);
    found_so_far.value.programs.push_back(program.name);
    for (std::size_t job = 0; job < jobs; ++job) {
      found_so_far.value.all[job % how.seeds][job / how.seeds / names.size()][names[job / how.seeds % names.size()]] =
          (*found)[job];
    }
  }
}

reproduction::results simulate_all(const reproduction& what, const simulation_options& how) {
  guarded<reproduction::so_far> found;
  progress shown;
  simulate_all(what, how, found, shown);
  return std::move(found.value.all);
}

}  // namespace jackdaw::cli
