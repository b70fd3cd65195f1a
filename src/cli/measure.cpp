#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>
#include <jackdaw/machine.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/numa_table.hpp"
#include "cli/terminal/progress.hpp"
#include "machine/model.hpp"
#include "machine/probe/numa_figures.hpp"

namespace jackdaw::cli {
namespace {

struct numa_arguments {
  std::string machine;
  bool json = false;
};

void measure_numa(const numa_arguments& given) {
  if (given.machine.empty()) {
    const machine found = machine::detect();
    progress shown;
    shown.say("measuring the latency and bandwidth of memory nodes");
    const probe::numa_figures figures = probe::measure_numa(found);
    shown.clear();
    print_numa({found.name, "measured", "domain"}, figures, given.json);
  } else {
    const machine_model model = load_machine_model(given.machine);
    print_numa({model.name, "declared in " + model.file, "socket"}, numa_figures_of(model), given.json);
  }
}

}  // namespace

void add_measure(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("measure", "Measure what this computer's memory does");
  command.require_subcommand(0, 1);
  command.callback([&command] {
    if (command.get_subcommands().empty()) throw error("measure: no subcommand, expected numa");
  });
  CLI::App& numa = *command.add_subcommand(
      "numa", "Print local and remote latency and bandwidth, and their ratio R_NUMA (docs/papers/predict.md, Eq. 1)");
  const auto given = std::make_shared<numa_arguments>();
  numa.add_option("--machine", given->machine,
                  "Take the figures from a machine file, or a name from `jackdaw machine list`, instead of measuring");
  numa.add_flag("--json", given->json, "Print JSON instead of tables");
  numa.callback([given, &result] {
    measure_numa(*given);
    result = good;
  });
  command.footer(
      "A latency is that of one access that waits for the one before, from one core; a bandwidth is of all usable "
      "cores\n"
      "near one node together. Measuring takes about a second for each pair of nodes.\n"
      "Examples:\n"
      "  jackdaw measure numa\n"
      "  jackdaw measure numa --machine xeon-e5-2620 --json");
}

}  // namespace jackdaw::cli
