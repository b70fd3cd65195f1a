#include "cli/help/man_page.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/help/completion.hpp"
#include "cli/help/suggestion.hpp"
#include "cli/text.hpp"
#include "cli/whole_file.hpp"

namespace jackdaw::cli {
namespace {

/// A line of text in roff: no character of it is a request or an escape.
std::string roff(std::string_view text) {
  std::string made;
  for (const char c : text) {
    if (c == '\\') {
      made += "\\e";
    } else if (c == '-') {
      made += "\\-";
    } else {
      made += c == '\n' ? ' ' : c;
    }
  }
  return made.starts_with('.') || made.starts_with('\'') ? "\\&" + made : made;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// "jackdaw machine list".
std::string words_of(const CLI::App& of) {
  return of.get_parent() == nullptr ? of.get_name() : words_of(*of.get_parent()) + ' ' + of.get_name();
}

std::vector<const CLI::Option*> options_of(const CLI::App& of, bool positional) {
  return of.get_options(
      [&](const CLI::Option* each) { return each->get_positional() == positional && !each->get_group().empty(); });
}

std::string synopsis(const CLI::App& of) {
  std::string text = ".B " + roff(words_of(of));
  if (!options_of(of, false).empty()) text += "\n[\\fIoptions\\fR]";
  for (const CLI::Option* each : options_of(of, true)) {
    const std::string name =
        fmt::format("\\fI{}\\fR{}", roff(each->get_name(true, false)), each->get_items_expected_max() > 1 ? "..." : "");
    text += each->get_required() ? "\n" + name : "\n[" + name + "]";
  }
  if (!of.get_subcommands({}).empty()) text += "\n\\fIcommand\\fR";
  return text + '\n';
}

std::string options(const CLI::App& of) {
  std::string text;
  for (const bool positional : {true, false}) {
    for (const CLI::Option* each : options_of(of, positional)) {
      text += fmt::format(".TP\n.B {}", roff(each->get_name(positional, !positional)));
      if (each->get_items_expected_max() != 0 && !positional) text += " \\fIvalue\\fR";
      text += '\n' + roff(each->get_description());
      if (!each->get_default_str().empty()) text += fmt::format("\nDefault: {}.", roff(each->get_default_str()));
      text += '\n';
    }
  }
  return text;
}

std::string commands(const CLI::App& of, bool with_options) {
  std::string text;
  for (const CLI::App* each : of.get_subcommands({})) {
    text += with_options ? fmt::format(".SS {}\n{}\n", roff(words_of(*each)), roff(each->get_description()))
                         : fmt::format(".TP\n.B {}\n{}\n", roff(each->get_name()), roff(each->get_description()));
    if (with_options) text += options(*each);
  }
  return text;
}

/// The lines after the options: paragraphs, and indented ones as they stand. Those that end with a colon alone are
/// headings of what is indented below.
std::string notes(const std::string& footer) {
  std::string text;
  bool indented = false;
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    const bool deep = line.starts_with("  ");
    if (deep != indented) text += deep ? ".PP\n.nf\n" : ".fi\n.PP\n";
    indented = deep;
    text += (line.empty() ? ".PP" : roff(line)) + '\n';
  }
  return text + (indented ? ".fi\n" : "");
}

void write_all(const CLI::App& program, const std::string& folder) {
  std::vector<const CLI::App*> all{&program};
  for (const CLI::App* each : program.get_subcommands({})) all.push_back(each);
  for (const CLI::App* each : all) {
    const std::filesystem::path file = std::filesystem::path(folder) / (man_page_name(*each) + ".1");
    whole_file(file.string(), true, "--into").write(man_page(*each));
  }
}

}  // namespace

std::string man_page_name(const CLI::App& of) {
  std::string name = words_of(of);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string man_page(const CLI::App& of) {
  const bool whole = of.get_parent() == nullptr;
  const std::string name = man_page_name(of);
  std::string description = of.get_description();
  if (whole) description.erase(0, description.find(": ") + 2);  // its own name
  std::string text = fmt::format(".TH {} 1 \"\" \"jackdaw {}\" \"jackdaw\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}",
                                 upper(roff(name)), JACKDAW_VERSION, roff(name), roff(description), synopsis(of));
  if (const std::string all = options(of); !all.empty()) text += ".SH OPTIONS\n" + all;
  if (!of.get_subcommands({}).empty()) text += ".SH COMMANDS\n" + commands(of, !whole);
  if (const std::string all = notes(of.get_footer()); !all.empty()) text += ".SH NOTES\n" + all;
  text += ".SH SEE ALSO\n";
  if (!whole) return text + ".BR jackdaw (1)\n";
  std::string others;
  for (const CLI::App* each : of.get_subcommands({})) {
    others += fmt::format("{}.BR {} (1)", others.empty() ? "" : ",\n", roff(man_page_name(*each)));
  }
  return text + others + '\n';
}

void add_man(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("man", "Print the manual page of the program or of a command");
  const auto name = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
  const auto names = [&program] {
    std::vector<std::string> all;
    for (const CLI::App* each : program.get_subcommands({})) all.push_back(each->get_name());
    return all;
  };
  CLI::Option& which = *command.add_option("COMMAND", *name, "The command; default: the program itself");
  offer(which, [names](const std::vector<std::string>&) { return names(); });
  command.add_option("--into", *folder, "Write all pages to this folder instead, one file each, for man(1)")
      ->excludes(&which);
  command.footer(
      "Examples:\n"
      "  jackdaw man bench | man -l -\n"
      "  jackdaw man --into ~/.local/share/man/man1");
  command.callback([&program, name, folder, names, &result] {
    result = good;
    if (!folder->empty()) return write_all(program, *folder);
    if (name->empty()) return fmt::print("{}", man_page(program));
    for (const CLI::App* each : program.get_subcommands({})) {
      if (each->get_name() == *name) return fmt::print("{}", man_page(*each));
    }
    throw error(fmt::format("unknown command '{}', expected one of {}{}", one_line(*name), joined(names()),
                            suggestion(*name, names())));
  });
}

}  // namespace jackdaw::cli
