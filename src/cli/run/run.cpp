#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/commands.hpp"
#include "cli/help/suggestion.hpp"
#include "cli/run/preload.hpp"
#include "cli/scheduler_options.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

struct arguments {
  std::string as, scheduler, workers, placement;
  bool report = false;
};

struct stand_in {
  const char *runtime, *library;
};
/// Runtimes whose programs run on jackdaw, and the library that takes a runtime's place.
constexpr stand_in stand_ins[] = {{"openmp", "libjackdaw_gomp.so"}, {"tbb", "libjackdaw_tbb.so"}};
constexpr const char* allocator = "libjackdaw-malloc.so";
constexpr std::string_view placements[] = {"first-touch", "interleave", "by-bandwidth", "fastest", "scheduler"};

const std::vector<std::string> options{"--as", "--scheduler", "--workers", "--placement", "--report", "--help"};

/// Takes the words from a `--` on that ends the options of `run`; the `--` of another program's comes after its name.
std::vector<std::string> take_after_options(std::vector<std::string>& words) {
  std::size_t at = 1;
  const auto is = [&](std::string_view word) { return words[at] == word; };
  if (words.empty() || words[0] != "run") return {};
  while (at < words.size() && words[at].starts_with('-') && !is("--")) {
    at += is("--as") || is("--scheduler") || is("--workers") || is("--placement") ? 2 : 1;
  }
  if (at >= words.size() || !is("--")) return {};
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
  std::vector<std::string> taken(first + 1, words.end());
  words.erase(first, words.end());
  return taken;
}

// There is one thread.
void set(const char* name, const std::string& value) {
  setenv(name, value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

std::vector<std::string> libraries(const arguments& given) {
  std::vector<std::string> found;
  if (!given.as.empty()) {
    for (const stand_in& each : stand_ins) {
      if (given.as == each.runtime) found.push_back(find_library(each.library, "--as " + given.as));
    }
    if (found.empty()) throw error(fmt::format("--as: '{}', expected openmp or tbb", one_line(given.as)));
  }
  if (!given.placement.empty() || given.report) {
    found.push_back(find_library(allocator, given.report ? "--report" : "--placement"));
  }
  return found;
}

void check_placement(const std::string& name) {
  for (const std::string_view each : placements) {
    if (name == each) return;
  }
  throw error(fmt::format("--placement: '{}', expected {}", one_line(name), fmt::join(placements, ", ")));
}

/// Does not return.
void run(const arguments& given, const std::vector<std::string>& words) {
  if (words.empty()) throw error("run: there is no program, expected jackdaw run [OPTIONS] -- PROGRAM [ARGUMENTS...]");
  if (words.front().starts_with('-')) {
    throw error(
        fmt::format("run: there is no option {}, expected one of --as, --scheduler, --workers, --placement, "
                    "--report{}",
                    one_line(words.front()), suggestion(words.front(), options)));
  }
  if (!given.placement.empty()) check_placement(given.placement);
  if (!given.scheduler.empty()) check_scheduler(given.scheduler, "--scheduler");
  if (!given.workers.empty()) number_of(given.workers, "--workers", 1, 4096);
  const std::string program = find_program(words.front());
  std::string before;
  for (const std::string& each : libraries(given)) before += each + ":";
  if (!before.empty()) {
    check_preloadable(program);
    set("LD_PRELOAD", before + environment("LD_PRELOAD").value_or(""));
  }
  if (!given.scheduler.empty()) set("JACKDAW_SCHEDULER", given.scheduler);
  if (!given.workers.empty()) set("JACKDAW_WORKERS", given.workers);
  if (!given.placement.empty()) set("JACKDAW_PLACEMENT", given.placement);
  if (given.report) set("JACKDAW_PLACEMENT_REPORT", std::to_string(getpid()));  // the program's number, too

  std::vector<char*> all;
  all.reserve(words.size() + 1);
  for (const std::string& each : words) all.push_back(const_cast<char*>(each.c_str()));
  all.push_back(nullptr);
  std::fflush(stdout);
  execvp(program.c_str(), all.data());  // a script without a first line that says so is the shell's
  throw error(fmt::format("run: {} cannot be run: {}", one_line(program), std::generic_category().message(errno)));
}

}  // namespace

void add_run(CLI::App& program, std::vector<std::string>& words) {
  CLI::App& command = *program.add_subcommand("run", "Run another program on jackdaw, or with its memory placed");
  const auto given = std::make_shared<arguments>();
  command.add_option("--as", given->as,
                     "The runtime that the program was made for: openmp (programs of GCC, linked to libgomp), or tbb");
  command.add_option("--scheduler", given->scheduler, "The scheduler (JACKDAW_SCHEDULER)");
  command.add_option("--workers", given->workers, "The number of workers (JACKDAW_WORKERS)");
  command.add_option("--placement", given->placement,
                     "Where the program's memory goes (JACKDAW_PLACEMENT): first-touch, interleave, by-bandwidth, "
                     "fastest, or scheduler");
  command.add_flag("--report", given->report, "Say at the program's end on which memory nodes its memory was");
  command.prefix_command();
  command.footer(
      "Usage: jackdaw run [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n"
      "The program is not changed: libraries are loaded before it (LD_PRELOAD). docs/any-program.md tells more.\n"
      "Examples:\n"
      "  jackdaw run --as openmp -- gm convert in.png -blur 0x8 out.png\n"
      "  jackdaw run --as tbb --scheduler adws -- vdb_lod in.vdb out.vdb\n"
      "  jackdaw run --placement interleave --report -- ./solver");
  const auto given_program = std::make_shared<std::vector<std::string>>(take_after_options(words));
  command.callback([given, given_program, &command] {
    std::vector<std::string> all = command.remaining();
    all.insert(all.end(), given_program->begin(), given_program->end());
    run(*given, all);
  });
}

}  // namespace jackdaw::cli
