#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/jackdaw.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/terminal/say.hpp"
#include "cli/text.hpp"
#include "kernels/common/kernel.hpp"

namespace jackdaw::cli {
namespace {

std::vector<std::string_view> side_names(const kernels::kernel& kernel) {
  std::vector<std::string_view> names;
  names.reserve(kernel.sides.size());
  for (const kernels::side& side : kernel.sides) names.push_back(side.name);
  return names;
}

void print_json() {
  nlohmann::json kernels = nlohmann::json::array();
  for (const kernels::kernel& kernel : kernels::all()) {
    kernels.push_back({{"name", kernel.name},
                       {"alias", kernel.alias},
                       {"summary", kernel.summary},
                       {"sizes", kernel.sizes},
                       {"shapes", kernel.shapes},
                       {"takes_input", kernel.takes_input},
                       {"takes_hints", kernel.takes_hints},
                       {"takes_snapshots", kernel.takes_snapshots},
                       {"iterates", kernel.iterates},
                       {"sides", side_names(kernel)}});
  }
  const nlohmann::json all = {{"kernels", kernels}, {"schedulers", scheduler_names()}};
  fmt::print("{}\n", all.dump(2));
}

void print_text() {
  say("schedulers  {}\n", joined(scheduler_names()));
  for (const kernels::kernel& kernel : kernels::all()) {
    say("\n{:<11} {}\n", kernel.name, kernel.summary);
    if (!kernel.alias.empty()) say("  alias     {}\n", kernel.alias);
    say("  sizes     {}\n", joined(kernel.sizes));
    if (!kernel.shapes.empty()) say("  shapes    {}\n", joined(kernel.shapes));
    if (kernel.iterates) say("  iterates  --iterations COUNT\n");
    if (kernel.takes_input) say("  input     --input FILE\n");
    if (kernel.takes_hints) say("  hints     --hints fixed:ALPHA, --hints random:ALPHA\n");
    if (kernel.takes_snapshots) say("  pictures  bench --snapshots FOLDER\n");
    say("  sides     {}\n", joined(side_names(kernel)));
  }
  say("\nThe first size and the first shape are the defaults. `jackdaw bench --against` takes the other sides.\n"
      "Computers to simulate: `jackdaw machine list`.\n");
}

}  // namespace

void add_list(CLI::App& program, int& result) {
  CLI::App& command =
      *program.add_subcommand("list", "List kernels with their sizes, schedulers, and the runtimes to compare with");
  const auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "Print JSON instead of text");
  command.callback([json, &result] {
    *json ? print_json() : print_text();
    result = good;
  });
}

}  // namespace jackdaw::cli
