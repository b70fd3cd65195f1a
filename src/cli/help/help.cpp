#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/help/completion.hpp"
#include "cli/help/suggestion.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

std::vector<std::string> names_of_commands(const CLI::App& of) {
  std::vector<std::string> names;
  for (const CLI::App* command : of.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// The innermost command that was given.
const CLI::App& given_command(const CLI::App& program) {
  const std::vector<CLI::App*> given = program.get_subcommands();
  return given.empty() ? program : given_command(*given.front());
}

}  // namespace

void add_help(CLI::App& program) {
  CLI::App& command = *program.add_subcommand("help", "Print what --help prints for a command");
  const auto ignored = std::make_shared<std::vector<std::string>>();  // with_help_as_option knows what was given
  offer(*command.add_option("COMMAND", *ignored, "The command"),
        [&program](const std::vector<std::string>&) { return names_of_commands(program); });
}

std::vector<std::string> with_help_as_option(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool of_help = words.size() == 2 && words[1].starts_with('-');
  if (words.empty() || words[0] != "help" || of_help) return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

void check_command(const CLI::App& program, const std::vector<std::string>& words) {
  const std::vector<std::string> names = names_of_commands(program);
  if (!words.empty() && words[0].starts_with('-')) return;
  if (!words.empty() && std::find(names.begin(), names.end(), words[0]) != names.end()) return;
  const std::string found = words.empty() ? "no command" : fmt::format("unknown command '{}'", one_line(words[0]));
  throw error(fmt::format("{}, expected one of {} (jackdaw --help tells more){}", found, joined(names),
                          words.empty() ? "" : suggestion(words[0], names)));
}

std::string suggestion_for_rest(const CLI::App& program) {
  const CLI::App& command = given_command(program);
  std::vector<std::string> names = names_of_commands(command);
  for (const CLI::Option* each : command.get_options()) {
    for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string& word : program.remaining(true)) {
    const std::string name = word.substr(0, word.find('='));
    if (std::string meant = suggestion(name, names); !meant.empty()) return meant;
  }
  return "";
}

}  // namespace jackdaw::cli
