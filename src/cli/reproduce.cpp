#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/empty_folder.hpp"
#include "cli/help/completion.hpp"
#include "cli/help/suggestion.hpp"
#include "cli/text.hpp"
#include "cli/whole_file.hpp"
#include "papers/reproduction.hpp"

namespace jackdaw::cli {
namespace {

struct reproduce_arguments {
  std::string paper, markdown, only, traces, keep, seeds = "5", recordings = "5";
  bool measured = false, force = false, sweep = false;
};

struct paper {
  std::string_view name;
  reproduction (*make)();
};
constexpr std::array<paper, 6> papers{{{"adws", &reproduce_adws},
                                       {"bats", &reproduce_bats},
                                       {"cab", &reproduce_cab},
                                       {"laws", &reproduce_laws},
                                       {"machines", &reproduce_machines},
                                       {"predict", &reproduce_predict}}};

std::vector<std::string> paper_names() {
  std::vector<std::string> names;
  names.reserve(papers.size());
  for (const paper& each : papers) names.emplace_back(each.name);
  return names;
}

void run(const reproduce_arguments& given, int& result) {
  const auto paper =
      std::find_if(papers.begin(), papers.end(), [&](const auto& each) { return each.name == given.paper; });
  if (paper == papers.end()) {
    throw error(fmt::format("unknown paper '{}', expected one of {}{}", one_line(given.paper), joined(paper_names()),
                            suggestion(given.paper, paper_names())));
  }
  const unsigned seeds = number_of(given.seeds, "--seeds", 1, 1000);
  const unsigned recordings = number_of(given.recordings, "--recordings", 1, 100);
  std::unique_ptr<whole_file> into;
  if (!given.markdown.empty()) into = std::make_unique<whole_file>(given.markdown, given.force, "--markdown");
  reproduction what = paper->make();
  what.keep_only(given.only);
  if (!given.traces.empty()) make_empty_folder(given.traces, "--traces");
  guarded<reproduction::so_far> found;
  progress shown;
  interruption watched(found.changing, [&] {
    const reproduction::so_far& kept = found.value;
    shown.clear();
    if (!kept.programs.empty()) {
      reproduction complete = what;
      complete.keep_programs(kept.programs);
      fmt::print("{}", report(complete, kept.all, given.measured));
    }
    say_interrupted(kept.programs.size(), what.programs.size(), "program");
  });
  simulate_all(what,
               {.seeds = seeds,
                .sweep = given.sweep,
                .recordings = given.measured ? recordings : 0,
                .traces = given.traces,
                .keep = given.keep},
               found, shown);
  watched.done();
  shown.clear();
  const std::string text = report(what, found.value.all, given.measured);
  fmt::print("{}", text);
  if (into) into->write(text);
  result = good;
}

}  // namespace

void add_reproduce(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand(
      "reproduce", "Repeat a paper's experiments on its simulated machine, or compare all on today's");
  const auto given = std::make_shared<reproduce_arguments>();
  offer(*command
             .add_option("PAPER", given->paper,
                         "adws, bats, cab, laws or predict; machines: all schedulers on Xeon Max, EPYC and a Xeon with "
                         "CXL")
             ->required(),
        paper_names());
  command
      .add_option("--seeds", given->seeds,
                  "Simulations of each experiment; a claim is reproduced if it is in all of them")
      ->capture_default_str();
  command.add_flag("--sweep", given->sweep,
                   "Simulate each experiment that decides a claim also at both ends of what the machine file gives as\n"
                   "ranges: overlap, speed of cores, remote_rate. Takes up to three times as long");
  command.add_flag("--measured", given->measured,
                   "Take the steps' times from this computer instead of from the reference core");
  command
      .add_option("--recordings", given->recordings,
                  "With --measured: how many times to record each program; a step's fastest time counts")
      ->capture_default_str();
  command.add_option("--only", given->only, "Only programs whose names contain this text, such as 'heat amd'");
  command.add_option("--traces", given->traces,
                     "A new or empty folder in which to keep the programs' traces, for `jackdaw simulate`");
  command
      .add_option("--keep", given->keep,
                  "A folder for the figures of each program as they are found. The same command then goes on from\n"
                  "there if it was stopped")
      ->excludes("--traces");
  command.add_option("--markdown", given->markdown, "Also write the comparison to this file");
  command.add_flag("--force", given->force, "Replace that file if it exists");
  command.footer(
      "Records the programs one after another, and simulates each with the links between sockets at half, once and\n"
      "twice their bandwidth; what cannot differ is simulated once. Simulations use all cores of this computer, fewer\n"
      "at once if half of the available memory holds no more: with --seeds 1 on two cores, cab and predict about 4\n"
      "minutes, adws 6, machines 10, bats and laws 20 to 30; with five, up to five times as long, and with --sweep up "
      "to\n"
      "three times. 'machines' is no paper: it compares all schedulers with random stealing and every placement.\n"
      "Example:\n"
      "  jackdaw reproduce adws --seeds 1\n"
      "  jackdaw reproduce laws --keep laws-figures");
  command.callback([given, &result] { run(*given, result); });
}

}  // namespace jackdaw::cli
