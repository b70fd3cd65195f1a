#include <charconv>
#include <jackdaw/error.hpp>
#include <memory>

#include <fmt/format.h>

#include "cli/analyze_report.hpp"
#include "cli/commands.hpp"
#include "cli/simulate_plan.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

struct analyze_arguments {
  simulate_arguments simulate;
  std::string data, branching;
};

constexpr std::uint64_t most_data = std::uint64_t{1} << 50;
constexpr unsigned most_branching = 1 << 20;

std::uint64_t data_size(const std::string& text) {
  std::uint64_t bytes = 0;
  const char* const last = text.data() + text.size();
  const auto [end, mistake] = std::from_chars(text.data(), last, bytes);
  if (mistake == std::errc() && end == last && bytes >= 1 && bytes <= most_data) return bytes;
  throw error(fmt::format("--data-size: '{}', expected bytes from 1 to {}", one_line(text), most_data));
}

void run(const analyze_arguments& given, int& result) {
  sched::settings told;
  if (!given.data.empty()) told.data = data_size(given.data);
  if (!given.branching.empty()) told.branching = number_of(given.branching, "--branching", 2, most_branching);
  const simulate_plan plan = plan_simulation(given.simulate);
  if (plan.placements.size() != 1) throw error("--placement: expected one");
  const measure::task_tree tree = task_tree_of(plan, workers_on(plan.machine, plan.workers));
  const sim::scenario like{.placement = plan.placements.front(),
                           .workers = plan.workers,
                           .scatter = plan.scatter,
                           .seed = plan.seed,
                           .told = told};
  const analyzed what{plan, tree.program, told, analyze(tree, plan.machine, plan.schedulers, like)};
  (given.simulate.json ? print_json : print_text)(what);
  result = good;
}

}  // namespace

void add_analyze(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("analyze", "Work, span and the papers' bounds, beside simulations");
  const auto all = std::make_shared<analyze_arguments>();
  simulate_arguments& given = all->simulate;
  given.order = name_of(placement_order::scatter);
  given.schedulers = "cab,laws";
  given.seeds = "1";
  add_kernel_options(command, given.kernel);
  command.get_option("KERNEL")->description("A kernel of `jackdaw list`, or a trace that `jackdaw record` wrote");
  command.add_option("--machine", given.machine, "A machine file, or a name of `jackdaw machine list`")->required();
  command
      .add_option("--scheduler", given.schedulers, "Schedulers, with commas; cab:LEVEL is cab with that boundary level")
      ->capture_default_str();
  command.add_option("--placement", given.placements, "Where memory lies, as `jackdaw simulate` has it")
      ->capture_default_str();
  command.add_option("--workers", given.kernel.workers, "Workers; default: one for each core of the machine");
  command.add_option("--data-size", all->data,
                     "Bytes that an iteration works on, as schedulers are told (CAB's Sd); default: they find out");
  command.add_option("--branching", all->branching,
                     "Children that a task forks, as schedulers are told (CAB's B); default: they find out");
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
