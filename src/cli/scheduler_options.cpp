#include "cli/scheduler_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>
#include "base/byte_count.hpp"

#include <algorithm>
#include <cctype>

#include "cli/help/completion.hpp"
#include "cli/help/suggestion.hpp"
#include "cli/text.hpp"
#include "sched/scheduler.hpp"

namespace jackdaw::cli {

void add_scheduler_options(CLI::App& command, scheduler_arguments& given) {
  offer(*command.get_option("--scheduler"), [](const std::vector<std::string>&) {
    std::vector<std::string> names = sched::accepted_names();
    std::erase_if(names, [](const std::string& name) {
      return std::ranges::any_of(name, [](unsigned char c) { return std::isupper(c) != 0; });
    });
    return names;
  });
  command.add_option("--data-size", given.data_size,
                     "Bytes that an iteration works on, such as 48M, for schedulers that fit work into caches;\n"
                     "default: the scheduler finds out");
  command.add_option("--branching", given.branching,
                     "Children that a task forks, for cab; default: the scheduler finds out");
  offer(*command.add_option("--node-order", given.node_order,
                            "How bats orders memory nodes along the data; adjacent: a socket's DRAM and HBM side by "
                            "side;\napart: all DRAM before all HBM; default: adjacent"),
        {"adjacent", "apart"});
}

void check_scheduler(const std::string& name, std::string_view where) {
  if (sched::make_scheduler(name) != nullptr) return;
  throw error(fmt::format("{}: unknown scheduler '{}', expected one of {}{}", where, one_line(name),
                          joined(sched::accepted_names()), suggestion(name, sched::accepted_names())));
}

std::vector<std::string> chosen_schedulers(const std::string& names) {
  std::vector<std::string> chosen = list_of(names, "--scheduler");
  for (const std::string& name : chosen) check_scheduler(name, "--scheduler");
  return chosen;
}

sched::settings chosen_settings(const scheduler_arguments& given) {
  sched::settings chosen;
  if (!given.data_size.empty()) chosen.data = parse_byte_count(given.data_size, "--data-size");
  if (!given.branching.empty()) chosen.branching = parse_branching(given.branching, "--branching");
  if (!given.node_order.empty()) {
    const auto order = sched::node_sequence_of(given.node_order);
    if (!order) throw error(fmt::format("--node-order: '{}', expected adjacent or apart", one_line(given.node_order)));
    chosen.order = *order;
  }
  return chosen;
}

}  // namespace jackdaw::cli
