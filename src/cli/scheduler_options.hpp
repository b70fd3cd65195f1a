#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sched/settings.hpp"

namespace CLI {
class App;
}

namespace jackdaw::cli {

/// The schedulers and what they are told about the program, as typed.
struct scheduler_arguments {
  std::string names, data_size, branching, node_order;
};

/// Adds --data-size, --branching and --node-order to a command, which has added --scheduler itself, because its default
/// differs.
void add_scheduler_options(CLI::App& command, scheduler_arguments& given);

/// --scheduler's list, checked. Throws jackdaw::error that names the option.
std::vector<std::string> chosen_schedulers(const std::string& names);
/// Throws jackdaw::error that names `where`, the place that gave the name.
void check_scheduler(const std::string& name, std::string_view where);
/// The settings that `given` asks for. Throws jackdaw::error that names the option.
sched::settings chosen_settings(const scheduler_arguments& given);

}  // namespace jackdaw::cli
