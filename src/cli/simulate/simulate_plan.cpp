#include "cli/simulate/simulate_plan.hpp"

#include <fmt/format.h>
#include <jackdaw/error.hpp>
#include <jackdaw/jackdaw.hpp>

#include <algorithm>
#include <filesystem>

#include "base/replacement.hpp"
#include "base/worker_count.hpp"
#include "cli/record/record_kernel.hpp"
#include "cli/scheduler_options.hpp"
#include "cli/terminal/say.hpp"
#include "cli/text.hpp"
#include "machine/machine_file.hpp"
#include "sim/memory/policy.hpp"
#include "trace/rehint.hpp"
#include "trace/trace_file.hpp"

namespace jackdaw::cli {
namespace {

sweep parse_sweep(const std::string& text, const machine_model& machine) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw error(fmt::format("--sweep: '{}', expected KEY=VALUE,VALUE,...", one_line(text)));
  }
  sweep found{text.substr(0, equals), list_of(text.substr(equals + 1), "--sweep")};
  for (const std::string& value : found.values) {
    if (found.key == "workers") {
      parse_worker_count(value, "--sweep workers");
    } else {
      machine_model changed = machine;
      set_figure(changed, found.key, value);
    }
  }
  return found;
}

// Whether a name that no kernel has is an existing file, or can only mean a file.
bool names_a_trace(const std::string& name) {
  std::error_code ignored;
  return kernels::find(name) == nullptr && (std::filesystem::exists(name, ignored) || name.find('/') != name.npos ||
                                            name.ends_with(".trace") || name.ends_with(".gz"));
}

sim::hotness parse_hotness(const std::string& text) {
  if (text == "accessed-bits") return sim::hotness::accessed_bits;
  if (text == "address-samples") return sim::hotness::address_samples;
  throw error(fmt::format("--hotness: '{}', expected accessed-bits or address-samples", one_line(text)));
}

/// The placements asked for, restricted to --memory's nodes if they name none.
std::vector<std::string> chosen_placements(const simulate_arguments& given) {
  std::vector<std::string> chosen = list_of(given.placements, "--placement");
  if (given.memory == "all") return chosen;
  if (given.memory != "dram" && given.memory != "hbm") {
    throw error(fmt::format("--memory: '{}', expected dram, hbm or all", one_line(given.memory)));
  }
  for (std::string& each : chosen) {
    if (each.find(':') != each.npos) {
      throw error(fmt::format(
          "--memory: placement '{}' names its own nodes, expected --memory or nodes in the placement", one_line(each)));
    }
    each += ':' + given.memory;
  }
  return chosen;
}

}  // namespace

unsigned workers_on(const machine_model& machine, unsigned workers) {
  const unsigned count = workers == 0 ? machine.cores() : workers;
  if (count > machine.threads()) {
    throw error(fmt::format("{} workers, but {} has {}; expected no more workers than hardware threads", count,
                            machine.name, count_text(machine.threads(), "hardware thread")));
  }
  return count;
}

trace::task_tree task_tree_of(const simulate_plan& plan, unsigned workers, progress& shown) {
  if (!plan.kernel) {
    trace::task_tree tree = trace::read_trace(plan.trace);
    if (tree.lost > 0) {
      warn("{}: it had no processor for {:.0f}% of the time when it was recorded, so its times are too long",
           plan.trace, 100 * tree.lost);
    }
    return tree;
  }
  return record_fastest(*plan.kernel->kernel, plan.kernel->request, workers, plan.recordings, &shown);
}

void note_workers(const simulate_plan& plan, unsigned recorded_for, unsigned workers) {
  if (recorded_for == workers) return;
  warn("{}: recorded for {}, so its loops fork for that many and not for {}", plan.trace,
       count_text(recorded_for, "worker"), workers);
}

simulate_plan plan_simulation(const simulate_arguments& given) {
  simulate_plan plan;
  plan.machine = load_machine_model(given.machine);
  plan.workers = given.kernel.workers.empty() ? 0 : parse_worker_count(given.kernel.workers, "--workers");
  plan.scatter = parse_placement_order(given.order, "--order") == placement_order::scatter;
  plan.schedulers = chosen_schedulers(given.schedulers.names);
  plan.told = chosen_settings(given.schedulers);
  if (!given.rehint.empty()) trace::check_rehint(given.rehint);
  plan.rehint = given.rehint;
  plan.events = given.events;
  plan.placements = chosen_placements(given);
  for (const std::string& each : plan.placements) sim::parse_policy(each, plan.machine);
  plan.rescues = !given.no_rescues;
  plan.seeds = number_of(given.seeds, "--seeds", 1, 10'000);
  plan.seed = number_of(given.seed, "--seed", 1, 2'000'000'000);
  plan.recordings = number_of(given.recordings, "--recordings", 1, 1000);
  plan.sees = parse_hotness(given.hotness);
  if (!given.jobs.empty()) plan.jobs = number_of(given.jobs, "--jobs", 1, 1000);
  if (!plan.events.empty()) {
    detail::check_replaceable(plan.events, "--events");
    if (plan.schedulers.size() != 1 || plan.placements.size() != 1 || plan.seeds != 1 || !given.sweep.empty()) {
      throw error("--events: several simulations, expected one scheduler, one placement, --seeds 1 and no --sweep");
    }
  }
  if (!given.sweep.empty()) plan.sweep = parse_sweep(given.sweep, plan.machine);
  if (!plan.sweep || plan.sweep->key != "workers") workers_on(plan.machine, plan.workers);
  if (plan.sweep && plan.sweep->key == "workers") {
    for (const std::string& value : plan.sweep->values) {
      workers_on(plan.machine, parse_worker_count(value, "--sweep workers"));
    }
  }
  if (names_a_trace(given.kernel.kernel)) {
    for (const auto& [option, text] :
         {std::pair("--size", given.kernel.size), std::pair("--shape", given.kernel.shape),
          std::pair("--input", given.kernel.input), std::pair("--iterations", given.kernel.iterations),
          std::pair("--hints", given.kernel.hints)}) {
      if (!text.empty())
        throw error(fmt::format("{}: {} is a trace, expected a kernel with this option", option, given.kernel.kernel));
    }
    plan.trace = given.kernel.kernel;
  } else {
    plan.kernel = choose_kernel(given.kernel, machine::detect());
  }
  return plan;
}

}  // namespace jackdaw::cli
