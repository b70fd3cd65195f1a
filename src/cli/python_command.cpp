#include "cli/python_command.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

namespace fs = std::filesystem;

// Returns only if the program cannot be run, with errno.
void execute(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> words;
  words.reserve(arguments.size() + 2);
  words.push_back(const_cast<char*>(program.c_str()));
  for (const std::string& each : arguments) words.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  execvp(program.c_str(), words.data());
}

/// The folder with the package `jackdaw`; empty if there is none.
fs::path package_folder(const fs::path& program) {
  std::error_code code;
  for (const fs::path& folder :
       {(program.parent_path() / JACKDAW_PYTHON_FROM_BIN).lexically_normal(), fs::path(JACKDAW_PYTHON_SOURCE)}) {
    if (fs::exists(folder / "jackdaw" / "__main__.py", code)) return folder;
  }
  return {};
}

}  // namespace

void run_python_command(const std::string& name, const std::vector<std::string>& arguments) {
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  // There is one thread. NOLINTNEXTLINE(concurrency-mt-unsafe)
  if (!code) setenv("JACKDAW_PROGRAM", program.c_str(), 1);
  std::fflush(stdout);

  const std::string chosen = environment("JACKDAW_PYTHON").value_or("");
  const std::string script = "jackdaw-" + name;
  if (chosen.empty()) {
    execute(script, arguments);
    if (errno != ENOENT && errno != EACCES)
      throw error(fmt::format("{}: {} cannot be run: {}", name, script, std::generic_category().message(errno)));
  }
  const fs::path package = package_folder(program);
  if (package.empty()) {
    throw error(
        fmt::format("{0}: no program {1} on PATH; install jackdaw's Python package, `pip install ./python` in "
                    "its source tree",
                    name, script));
  }
  std::vector<std::string> all{package.string(), name};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const std::string python = chosen.empty() ? "python3" : chosen;
  execute(python, all);
  throw error(fmt::format(
      "{}: {}{} cannot be run ({}), expected Python 3.9 or later with pandas, plotly, statsmodels "
      "and typer; install it",
      name, chosen.empty() ? "" : "JACKDAW_PYTHON: ", one_line(python), std::generic_category().message(errno)));
}

void add_python_commands(CLI::App& program, const std::vector<std::string>& words) {
  struct described {
    const char *name, *text;
  };
  for (const described& each :
       {described{"report", "Make an HTML page of a run: what happened, and what would mend it"},
        described{"predict", "Predict a program's time on a machine, or fit a model of runs"}}) {
    program.add_subcommand(each.name, each.text);  // for --help
    // CLI11 would read options that are Python's, --help among them.
    if (!words.empty() && words[0] == each.name) run_python_command(each.name, {words.begin() + 1, words.end()});
  }
}

}  // namespace jackdaw::cli
