#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/jackdaw.hpp>

#include <memory>
#include <optional>
#include <utility>

#include "cli/commands.hpp"
#include "cli/help/completion.hpp"
#include "cli/result_file.hpp"
#include "cli/simulate/simulate_plan.hpp"
#include "cli/simulate/simulate_report.hpp"
#include "cli/simulate/simulation_store.hpp"
#include "cli/terminal/say.hpp"
#include "cli/text.hpp"
#include "machine/machine_file.hpp"

namespace jackdaw::cli {
namespace {

/// Each value of the sweep has its own.
std::size_t complete_seeds(const simulate_result& of) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < of.rows.size(); ++row) {
    if (row == 0 || of.rows[row].value != of.rows[row - 1].value) count += of.rows[row].runs.size();
  }
  return count;
}

void run(const simulate_arguments& given, int& result) {
  const simulate_plan plan = plan_simulation(given);
  const std::optional<result_store> store = wanted_store(given.store);
  guarded<simulate_result> found;
  progress shown;
  const auto keep = [&](const simulate_result& simulated) {
    shown.clear();
    simulate_plan complete = plan;
    complete.seeds = static_cast<unsigned>(simulated.rows.front().runs.size());
    store_and_print(
        store, [&](const database& into) { return insert_simulation(into, complete, simulated); },
        [&](const stored_as& stored) {
          given.json ? print_json(complete, simulated, stored)
                     : print_table(complete, simulated, given.counters, stored);
        });
  };
  interruption watched(found.changing, [&] {
    simulate_result kept = found.value;  // simulations still read the original
    std::erase_if(kept.rows, [](const simulate_row& row) { return row.runs.empty(); });
    if (!kept.rows.empty()) keep(kept);
    shown.clear();
    say_interrupted(complete_seeds(kept), plan.seeds * (plan.sweep ? plan.sweep->values.size() : 1), "seed");
  });
  run_simulation(plan, found, shown);
  watched.done();
  const simulate_result& simulated = found.value;
  keep(simulated);
  if (!simulated.declares_accesses) {
    warn("{}: it declares no accesses, so nothing that it reads or writes takes time here", simulated.program);
  }
  unsigned noted = 0;
  for (const simulate_row& row : simulated.rows) {
    if (std::exchange(noted, row.workers) != row.workers) note_workers(plan, row.recorded_for, row.workers);
  }
  result = good;
}

}  // namespace

void add_simulate(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("simulate", "Run a kernel or a trace on a described machine");
  const auto given = std::make_shared<simulate_arguments>();
  given->order = name_of(placement_order::scatter);
  add_kernel_options(command, given->kernel);
  command.get_option("KERNEL")->description("A kernel from `jackdaw list`, or a trace that `jackdaw record` wrote");
  offer(*command.add_option("--machine", given->machine, "A machine file, or a name from `jackdaw machine list`")
             ->required(),
        [](const std::vector<std::string>&) { return shipped_machine_models(); });
  command.add_option("--scheduler", given->schedulers.names, "Comma-separated schedulers")->capture_default_str();
  add_scheduler_options(command, given->schedulers);
  command
      .add_option(
          "--placement", given->placements,
          "Where memory lies; comma-separated: first-touch, interleave, weighted, bind:NODE, and serial:NODE, as\n"
          "if one thread there had touched all first. A colon and dram, hbm, cxl or nodes restrict a placement, as in\n"
          "interleave:hbm")
      ->capture_default_str();
  command
      .add_option("--memory", given->memory, "The kind of memory for placements that name no nodes: dram, hbm or all")
      ->capture_default_str();
  command.add_option("--workers", given->kernel.workers, "Workers; default: one for each core of the machine");
  command
      .add_option("--order", given->order,
                  "scatter: spread workers over all sockets; compact: fill one socket after another")
      ->capture_default_str();
  command.add_option(
      "--rehint", given->rehint,
      "Other work hints than the program's: none, exact (the recorded work), or wrong ones, fixed:ALPHA\n"
      "or random:ALPHA, ALPHA from 0 to 1");
  command.add_option("--sweep", given->sweep,
                     "KEY=VALUE,VALUE,...: simulate with each value; KEY is a figure of the machine, or workers");
  command.add_option("--seeds", given->seeds, "Simulations of each row, each with its own random numbers")
      ->capture_default_str();
  command.add_option("--seed", given->seed, "Seed of the first simulation")->capture_default_str();
  command
      .add_option("--recordings", given->recordings,
                  "How many times to record a kernel; each step's fastest time counts")
      ->capture_default_str();
  command
      .add_option(
          "--hotness", given->hotness,
          "How bats learns what data are hot: accessed-bits (of four pages of each area, as from Linux without\n"
          "privileges) or address-samples (the lines that caches fetch from them, counted exactly)")
      ->capture_default_str();
  command.add_option("--jobs", given->jobs,
                     "Simulations at once; default: one for each usable core, fewer if memory is short");
  command.add_flag("--no-rescues", given->no_rescues,
                   "Never let an idle worker take a task that waits long for the worker it was placed on");
  command.add_option("--events", given->events,
                     "Also write the scheduler's events (what it was told, did and decided) to this file");
  add_store_options(command, given->store);
  command.add_flag("--counters", given->counters,
                   "Print each row's attempts to steal and false steals, local and remote, and for how long workers\n"
                   "were idle although a task waited, too; JSON has them always");
  command.add_flag("--json", given->json, "Print JSON instead of a table, with every seed's result");
  command.footer(
      "A kernel is first recorded on this computer, as by `jackdaw record`. The same trace, machine and seed give the\n"
      "same figures on every computer. The SQLite file of `jackdaw bench` keeps the results, in tables of their own;\n"
      "a simulation is added to it as a whole or not at all.\n"
      "Examples:\n"
      "  jackdaw simulate heat2d --machine xeon-gold-6130 --scheduler random,adws --iterations 8\n"
      "  jackdaw simulate heat.trace --machine epyc-nps4 --placement first-touch,interleave\n"
      "  jackdaw simulate heat2d --machine xeon-gold-6130 --sweep link.bandwidth=x0.5,x1,x2 --iterations 8\n"
      "docs/simulation.md says what is modelled and what is not.");
  command.callback([given, &result] { run(*given, result); });
}

}  // namespace jackdaw::cli
