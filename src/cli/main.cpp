#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/peers.hpp"
#include "cli/text.hpp"

namespace {

int complain(int status, std::string_view message) {
  fmt::print(stderr, "jackdaw: {}\n", jackdaw::cli::one_line(std::string(message)));
  return status;
}

// CLI11 would only say that some command is required.
void check_command(const CLI::App& program, int argc, char** argv) {
  if (argc > 1 && argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  if (argc > 1 && std::find(names.begin(), names.end(), argv[1]) != names.end()) return;
  throw jackdaw::error(fmt::format("{}, expected one of {} (jackdaw --help tells more)",
                                   argc > 1 ? fmt::format("unknown command '{}'", argv[1]) : "no command",
                                   jackdaw::cli::joined(names)));
}

int run(int argc, char** argv) {
  using namespace jackdaw;
  CLI::App program("jackdaw: fork-join programs that stay near their data", "jackdaw");
  const std::string revision = JACKDAW_REVISION;  // empty where it was not built from a repository
  program.set_version_flag("--version", "jackdaw " JACKDAW_VERSION + (revision.empty() ? "" : " (" + revision + ")"),
                           "Print the version, and the commit if it is known, and exit");
  program.require_subcommand(1);
  program.footer(
      "Examples:\n"
      "  jackdaw doctor                                what this computer offers, and what is in the way\n"
      "  jackdaw list                                  kernels, schedulers and what they are compared with\n"
      "  jackdaw machine list                          computers that can be simulated\n"
      "  jackdaw bench fib --scheduler adws,random     two schedulers in turn, every result checked\n"
      "  jackdaw record heat2d --workers 64            what 64 workers would have to do, as a file\n"
      "  jackdaw simulate heat2d --machine xeon-gold-6130 --scheduler random,adws\n"
      "                                                two schedulers on 64 cores that are not here\n"
      "  jackdaw analyze heat --machine opteron-8380   work, span, tiers, and the papers' bounds beside simulations\n"
      "\n"
      "Environment:\n"
      "  JACKDAW_WORKERS    how many workers to start, 1 to 4096\n"
      "  JACKDAW_SCHEDULER  which scheduler to use\n"
      "  JACKDAW_PIN        0: do not pin workers to CPUs\n"
      "  JACKDAW_RECORD     file that a program's task tree is written to\n"
      "  JACKDAW_MACHINES   a folder of machine files, looked in before those that jackdaw ships\n"
      "  JACKDAW_DB         where `jackdaw bench` and `jackdaw simulate` keep results (default ./jackdaw.db)\n"
      "  HWLOC_SYNTHETIC, HWLOC_XMLFILE  a described machine instead of this computer\n"
      "\n"
      "Exit status: 0 done, 1 something failed or a result was wrong, 2 bad input (one line on stderr says which).");
  int result = cli::good;
  try {
    cli::add_peers();
    cli::add_doctor(program, result);
    cli::add_list(program, result);
    cli::add_bench(program, result);
    cli::add_record(program, result);
    cli::add_simulate(program, result);
    cli::add_analyze(program, result);
    cli::add_reproduce(program, result);
    cli::add_machine(program, result);
    check_command(program, argc, argv);
    program.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return program.exit(help_or_version);
  } catch (const CLI::ParseError& mistake) {
    return complain(cli::bad_input, std::string(mistake.what()) + " (jackdaw --help tells more)");
  } catch (const error& mistake) {
    return complain(cli::bad_input, mistake.what());
  } catch (const std::bad_alloc&) {
    return complain(cli::failed, "not enough memory");
  } catch (const std::exception& failure) {
    return complain(cli::failed, failure.what());
  }
  if (std::fflush(stdout) != 0) return complain(cli::failed, "the output cannot be written");
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (...) {
    return jackdaw::cli::failed;  // not even stderr can be written
  }
}
