#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include <memory>

#include "cli/analyze/analyze_report.hpp"
#include "cli/commands.hpp"
#include "cli/scheduler_options.hpp"
#include "cli/simulate/simulate_plan.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

void run(const simulate_arguments& given, int& result) {
  const simulate_plan plan = plan_simulation(given);
  if (plan.placements.size() != 1) throw error("--placement: expected one");
  const trace::task_tree tree = task_tree_of(plan, workers_on(plan.machine, plan.workers));
  const sim::scenario like{.placement = plan.placements.front(),
                           .workers = plan.workers,
                           .scatter = plan.scatter,
                           .seed = plan.seed,
                           .told = plan.told};
  const analyzed what{plan, tree.program, plan.told, analyze(tree, plan.machine, plan.schedulers, like)};
  (given.json ? print_json : print_text)(what);
  result = good;
}

}  // namespace

void add_analyze(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("analyze", "Work, span and the papers' bounds, beside simulations");
  const auto all = std::make_shared<simulate_arguments>();
  simulate_arguments& given = *all;
  given.order = name_of(placement_order::scatter);
  given.schedulers.names = "cab,laws";
  given.seeds = "1";
  add_kernel_options(command, given.kernel);
  command.get_option("KERNEL")->description("A kernel of `jackdaw list`, or a trace that `jackdaw record` wrote");
  command.add_option("--machine", given.machine, "A machine file, or a name of `jackdaw machine list`")->required();
  command
      .add_option("--scheduler", given.schedulers.names,
                  "Schedulers, with commas; cab:LEVEL is cab with that boundary level")
      ->capture_default_str();
  command.add_option("--placement", given.placements, "Where memory lies, as `jackdaw simulate` has it")
      ->capture_default_str();
  command.add_option("--workers", given.kernel.workers, "Workers; default: one for each core of the machine");
  add_scheduler_options(command, given.schedulers);
  command.add_option("--seed", given.seed, "Of the simulations")->capture_default_str();
  command
      .add_option("--recordings", given.recordings,
                  "A kernel is recorded so often and the fastest time of each step kept")
      ->capture_default_str();
  command.add_flag("--json", given.json, "Print JSON instead of text");
  command.footer(
      "A kernel is recorded here first, as `jackdaw record` does. The program is simulated once with each scheduler, "
      "to\n"
      "see which tasks it packs, how long steps take with their data, and how many frames are in use. Nothing is "
      "stored.\n"
      "Examples:\n"
      "  jackdaw analyze heat --size amd --machine opteron-8380\n"
      "  jackdaw analyze heat --machine opteron-8380 --scheduler cab:3,cab:4,random\n"
      "docs/analysis.md says what the bounds are and what they leave out.");
  command.callback([all, &result] { run(*all, result); });
}

}  // namespace jackdaw::cli
