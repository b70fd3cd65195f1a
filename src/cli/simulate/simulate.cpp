#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/jackdaw.hpp>

#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/simulate/simulate_plan.hpp"
#include "cli/simulate/simulate_report.hpp"
#include "cli/simulate/simulation_store.hpp"
#include "cli/store/result_store.hpp"

namespace jackdaw::cli {
namespace {

void run(const simulate_arguments& given, int& result) {
  const simulate_plan plan = plan_simulation(given);
  std::optional<result_store> store;
  if (!given.no_store) store.emplace(database_name(given.database));
  const simulate_result simulated = run_simulation(plan);
  const auto print = [&](const stored_as& stored) { (given.json ? print_json : print_table)(plan, simulated, stored); };
  if (store) {
    store_and_print(*store, [&](const database& into) { return insert_simulation(into, plan, simulated); }, print);
  } else {
    print({});
  }
  result = good;
}

}  // namespace

void add_simulate(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("simulate", "Run a kernel or a trace on a described machine");
  const auto given = std::make_shared<simulate_arguments>();
  given->order = name_of(placement_order::scatter);
  add_kernel_options(command, given->kernel);
  command.get_option("KERNEL")->description("A kernel of `jackdaw list`, or a trace that `jackdaw record` wrote");
  command.add_option("--machine", given->machine, "A machine file, or a name of `jackdaw machine list`")->required();
  command.add_option("--scheduler", given->schedulers.names, "Schedulers, with commas")->capture_default_str();
  add_scheduler_options(command, given->schedulers);
  command
      .add_option("--placement", given->placements,
                  "Where memory lies, with commas: first-touch, interleave, weighted, bind:NODE; dram, hbm, cxl or\n"
                  "nodes after a colon restrict it, as in interleave:hbm")
      ->capture_default_str();
  command
      .add_option("--memory", given->memory,
                  "dram, hbm or all: the kind of nodes that every placement without nodes of its own is restricted to")
      ->capture_default_str();
  command.add_option("--workers", given->kernel.workers, "Workers; default: one for each core of the machine");
  command.add_option("--order", given->order, "scatter: over all sockets; compact: one after another")
      ->capture_default_str();
  command.add_option("--sweep", given->sweep,
                     "KEY=VALUE,VALUE,...: a figure of the machine that takes these values in turn, or workers");
  command.add_option("--seeds", given->seeds, "Simulations of each row, with different random numbers")
      ->capture_default_str();
  command.add_option("--seed", given->seed, "The first one's")->capture_default_str();
  command
      .add_option("--recordings", given->recordings,
                  "A kernel is recorded so often and the fastest time of each step kept")
      ->capture_default_str();
  command.add_flag("--no-rescues", given->no_rescues,
                   "What is placed waits for those it was placed for, however long others are idle");
  command.add_option("--events", given->events, "Also write what the scheduler was told, did and decided to this file");
  command.add_option("--db", given->database, "Where results are kept; default: $JACKDAW_DB, else jackdaw.db");
  command.add_flag("--no-store", given->no_store, "Print only, keep nothing");
  command.add_flag("--json", given->json, "Print JSON instead of a table, every seed by itself");
  command.footer(
      "A kernel is recorded here first, as `jackdaw record` does. The same trace, machine and seed give the same\n"
      "figures on every computer. Each simulation is added to the SQLite file that `jackdaw bench` keeps its results "
      "in,\n"
      "in tables of its own, as a whole or not at all.\n"
      "Examples:\n"
      "  jackdaw simulate heat2d --machine xeon-gold-6130 --scheduler random,adws --iterations 8\n"
      "  jackdaw simulate heat.trace --machine epyc-nps4 --placement first-touch,interleave\n"
      "  jackdaw simulate heat2d --machine xeon-gold-6130 --sweep link.bandwidth=x0.5,x1,x2 --iterations 8\n"
      "docs/simulation.md says what is modelled and what is not.");
  command.callback([given, &result] { run(*given, result); });
}

}  // namespace jackdaw::cli
