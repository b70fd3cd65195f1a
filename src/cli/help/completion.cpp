#include "cli/help/completion.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <string_view>

#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

std::map<const CLI::Option*, choices>& offered() {
  static std::map<const CLI::Option*, choices> all;
  return all;
}

const CLI::App* subcommand_of(const CLI::App& app, const std::string& name) {
  for (const CLI::App* each : app.get_subcommands({})) {
    if (each->get_name() == name) return each;
  }
  return nullptr;
}

const CLI::Option* option_of(const CLI::App& app, const std::string& word) {
  for (const CLI::Option* each : app.get_options()) {
    if (each->nonpositional() && each->check_name(word)) return each;
  }
  return nullptr;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() != 0; }

/// Where a command line has come to.
struct place {
  const CLI::App* app;
  std::size_t positionals = 0;           ///< that have been given
  const CLI::Option* waiting = nullptr;  ///< for its value
};

place after(const CLI::App& program, const std::vector<std::string>& words) {
  place at{&program};
  for (const std::string& word : words) {
    if (at.waiting != nullptr) {
      at.waiting = nullptr;
    } else if (word.starts_with('-')) {
      const CLI::Option* option = option_of(*at.app, word);  // none for "--x=value"
      if (option != nullptr && takes_value(*option)) at.waiting = option;
    } else if (const CLI::App* sub = subcommand_of(*at.app, word)) {
      // `help` is followed by the words of another command.
      if (word != "help" || at.app != &program) at = {sub};
    } else {
      ++at.positionals;
    }
  }
  return at;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The values of `option` that begin with what follows the last comma of `begun`, which is kept.
std::vector<candidate> values(const CLI::Option& option, const std::string& before, const std::string& begun,
                              const std::vector<std::string>& words) {
  std::vector<candidate> found;
  const auto known = offered().find(&option);
  if (known == offered().end()) return found;
  const std::size_t comma = begun.rfind(',');
  const std::string kept = comma == begun.npos ? "" : begun.substr(0, comma + 1), part = begun.substr(kept.size());
  for (const std::string& each : known->second(words)) {
    if (each.starts_with(part)) found.push_back({fmt::format("{}{}{}", before, kept, each), ""});
  }
  return found;
}

std::vector<candidate> options_of(const CLI::App& app, const std::string& begun) {
  std::vector<candidate> found;
  for (const CLI::Option* each : app.get_options()) {
    for (const std::string& name : each->get_lnames()) {
      if (("--" + name).starts_with(begun)) found.push_back({"--" + name, first_line(each->get_description())});
    }
    for (const std::string& name : each->get_snames()) {
      if (begun == "-" && each->get_lnames().empty())
        found.push_back({"-" + name, first_line(each->get_description())});
    }
  }
  return found;
}

}  // namespace

void offer(const CLI::Option& option, choices values) { offered()[&option] = std::move(values); }

void offer(const CLI::Option& option, std::vector<std::string> values) {
  offer(option, [values = std::move(values)](const std::vector<std::string>&) { return values; });
}

std::vector<candidate> complete(const CLI::App& program, const std::vector<std::string>& words) {
  if (words.empty()) return {};
  const std::vector<std::string> before(words.begin(), words.end() - 1);
  const std::string& begun = words.back();
  const place at = after(program, before);
  if (at.waiting != nullptr) return values(*at.waiting, "", begun, words);
  if (begun.starts_with('-')) {
    const std::size_t equals = begun.find('=');
    if (equals == begun.npos) return options_of(*at.app, begun);
    const CLI::Option* option = option_of(*at.app, begun.substr(0, equals));
    if (option == nullptr) return {};
    return values(*option, begun.substr(0, equals + 1), begun.substr(equals + 1), words);
  }
  std::vector<candidate> found;
  for (const CLI::App* each : at.app->get_subcommands({})) {
    if (each->get_name().starts_with(begun)) found.push_back({each->get_name(), first_line(each->get_description())});
  }
  if (!found.empty()) return found;
  const std::vector<const CLI::Option*> positionals =
      at.app->get_options([](const CLI::Option* each) { return each->get_positional(); });
  if (positionals.empty()) return found;
  return values(*positionals[std::min(at.positionals, positionals.size() - 1)], "", begun, words);
}

bool answer_completion(const CLI::App& program, int argc, const char* const* argv) {
  if (argc < 2 || std::string_view(argv[1]) != "__complete") return false;
  for (const candidate& each : complete(program, {argv + 2, argv + argc})) {
    fmt::print("{}{}{}\n", each.word, each.text.empty() ? "" : "\t", each.text);
  }
  return true;
}

}  // namespace jackdaw::cli
