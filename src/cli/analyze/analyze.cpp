#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include <memory>

#include "cli/analyze/analyze_report.hpp"
#include "cli/commands.hpp"
#include "cli/help/completion.hpp"
#include "cli/scheduler_options.hpp"
#include "cli/simulate/simulate_plan.hpp"
#include "cli/text.hpp"
#include "machine/machine_file.hpp"

namespace jackdaw::cli {
namespace {

void run(const simulate_arguments& given, int& result) {
  const simulate_plan plan = plan_simulation(given);
  if (plan.placements.size() != 1)
    throw error(fmt::format("--placement: {} placements, expected one", plan.placements.size()));
  const unsigned workers = workers_on(plan.machine, plan.workers);
  progress shown;
  const trace::task_tree tree = task_tree_of(plan, workers, shown);
  shown.say("analyzing");
  const sim::scenario like{.placement = plan.placements.front(),
                           .workers = plan.workers,
                           .scatter = plan.scatter,
                           .seed = plan.seed,
                           .told = plan.told};
  const analyzed what{plan, tree.program, plan.told, analyze(tree, plan.machine, plan.schedulers, like)};
  shown.clear();
  given.json ? print_json(what) : print_text(what);
  note_workers(plan, tree.workers, workers);
  result = good;
}

}  // namespace

void add_analyze(CLI::App& program, int& result) {
  CLI::App& command =
      *program.add_subcommand("analyze", "Compare work, critical path and the papers' bounds with simulations");
  const auto all = std::make_shared<simulate_arguments>();
  simulate_arguments& given = *all;
  given.order = name_of(placement_order::scatter);
  given.schedulers.names = "cab,laws";
  given.seeds = "1";
  add_kernel_options(command, given.kernel);
  command.get_option("KERNEL")->description("A kernel from `jackdaw list`, or a trace that `jackdaw record` wrote");
  offer(*command.add_option("--machine", given.machine, "A machine file, or a name from `jackdaw machine list`")
             ->required(),
        [](const std::vector<std::string>&) { return shipped_machine_models(); });
  command
      .add_option("--scheduler", given.schedulers.names,
                  "Comma-separated schedulers; cab:LEVEL is cab with that boundary level,\n"
                  "laws:STEP laws with subtrees of that size")
      ->capture_default_str();
  command
      .add_option("--placement", given.placements,
                  "Where memory lies; one placement, written as for `jackdaw simulate`")
      ->capture_default_str();
  command.add_option("--workers", given.kernel.workers, "Workers; default: one for each core of the machine");
  add_scheduler_options(command, given.schedulers);
  command.add_option("--seed", given.seed, "Seed of the simulations' random numbers")->capture_default_str();
  command
      .add_option("--recordings", given.recordings,
                  "How many times to record a kernel; each step's fastest time counts")
      ->capture_default_str();
  command.add_flag("--json", given.json, "Print JSON instead of text");
  command.footer(
      "A kernel is first recorded on this computer, as by `jackdaw record`. One simulation with each scheduler then\n"
      "shows which tasks it packs, how long steps take when data moves, and how many frames are in use. Nothing is\n"
      "stored.\n"
      "Examples:\n"
      "  jackdaw analyze heat --size amd --machine opteron-8380\n"
      "  jackdaw analyze heat --machine opteron-8380 --scheduler cab:3,cab:4,random\n"
      "docs/analysis.md says what the bounds are and what they leave out.");
  command.callback([all, &result] { run(*all, result); });
}

}  // namespace jackdaw::cli
