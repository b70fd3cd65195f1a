#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sched/settings.hpp"

namespace CLI {
class App;
}

namespace jackdaw::cli {

/// Which schedulers a command is about and what they are told of the program, as it was typed.
struct scheduler_arguments {
  std::string names, data_size, branching, node_order;
};

/// Gives a command --data-size, --branching and --node-order. --scheduler is added by the command, which alone knows
/// the default.
void add_scheduler_options(CLI::App& command, scheduler_arguments& given);

/// --scheduler's list, checked. Throws jackdaw::error that names the option.
std::vector<std::string> chosen_schedulers(const std::string& names);
/// Throws jackdaw::error that names `where` the name was given.
void check_scheduler(const std::string& name, std::string_view where);
/// What was asked for; throws jackdaw::error that names the option.
sched::settings chosen_settings(const scheduler_arguments& given);

}  // namespace jackdaw::cli
