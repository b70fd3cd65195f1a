#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "cli/cilk_command.hpp"
#include "cli/commands.hpp"
#include "cli/help/completion.hpp"
#include "cli/help/formatter.hpp"
#include "cli/help/man_page.hpp"
#include "cli/peers.hpp"
#include "cli/terminal/say.hpp"
#include "cli/text.hpp"

namespace {

int complain(int status, std::string_view message) {
  jackdaw::cli::warn_text(std::string(message));
  return status;
}

/// Returns the status, or complains if not all output has been written.
int after_output(int status) {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return status;
  return complain(jackdaw::cli::failed, "the output cannot be written");
}

int run(int argc, char** argv) {
  using namespace jackdaw;
  detail::strict_environment.store(true, std::memory_order_relaxed);
  CLI::App program("jackdaw: a fork-join runtime that keeps tasks near their data", "jackdaw");
  const std::string revision = JACKDAW_REVISION;  // empty if it was not built from a repository
  program.set_version_flag("--version", "jackdaw " JACKDAW_VERSION + (revision.empty() ? "" : " (" + revision + ")"),
                           "Print the version (with the commit, if known) and exit");
  program.require_subcommand(1);
  program.formatter(cli::make_formatter());
  program.footer(
      "Examples:\n"
      "  jackdaw doctor                                show what this computer offers, and what limits it\n"
      "  jackdaw list                                  list kernels, schedulers and runtimes to compare with\n"
      "  jackdaw machine list                          list computers that can be simulated\n"
      "  jackdaw bench fib --scheduler adws,random     measure two schedulers in turn, checking every result\n"
      "  jackdaw record heat2d --workers 64            write the task tree for 64 workers to a file\n"
      "  jackdaw simulate heat2d --machine xeon-gold-6130 --scheduler random,adws\n"
      "                                                simulate two schedulers on a machine of 64 cores\n"
      "  jackdaw measure numa                          latency and bandwidth of local and remote memory\n"
      "  jackdaw analyze heat --machine opteron-8380   compare the papers' bounds with simulations\n"
      "  jackdaw top 4711                              show what the workers of a running program do\n"
      "  jackdaw predict heat2d --machine epyc-nps4    say how long a program would take there, and why\n"
      "  jackdaw run --as openmp -- gm convert a.png -blur 0x8 b.png\n"
      "                                                run a program that was made for another runtime\n"
      "  jackdaw help bench                            print what `jackdaw bench --help` prints\n"
      "  jackdaw report run.db                         make a page: what costs most in an execution, and why\n"
      "\n"
      "Environment:\n"
      "  JACKDAW_WORKERS    number of workers, 1 to 4096\n"
      "  JACKDAW_SCHEDULER  the scheduler\n"
      "  JACKDAW_PIN        0: do not pin workers to CPUs\n"
      "  JACKDAW_STATS      the SQLite file that receives a record of what a runtime did\n"
      "  JACKDAW_RECORD     the file that receives a program's task tree\n"
      "  JACKDAW_TRACE      the file that receives what a program's workers did, for ui.perfetto.dev\n"
      "  JACKDAW_PLACEMENT  where the memory of a program goes that `jackdaw run` places\n"
      "  JACKDAW_MACHINES   a folder of machine files, searched before those that jackdaw ships\n"
      "  JACKDAW_DB         the file that keeps the results of `jackdaw bench` and `jackdaw simulate` (default\n"
      "                     ./jackdaw.db)\n"
      "  JACKDAW_PYTHON     the Python that runs `jackdaw predict` and `jackdaw report` (default: python3)\n"
      "  HWLOC_SYNTHETIC, HWLOC_XMLFILE  a described machine to use instead of this computer\n"
      "\n"
      "Exit status: 0 success; 1 a failure or a wrong result; 2 bad input, which one line on stderr names.");
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
    cli::add_top(program, result);
    cli::add_machine(program, result);
    cli::add_measure(program, result);
    std::vector<std::string> words = cli::with_help_as_option(argc, argv);
    cli::add_run(program, words);
    cli::add_python_commands(program, words);
    cli::add_cilk_command(program, words);
    cli::add_help(program);
    cli::add_completion(program, result);
    cli::add_man(program, result);
    if (cli::answer_completion(program, argc, argv)) return after_output(cli::good);
    cli::check_command(program, words);
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    program.parse(std::move(words));
  } catch (const CLI::Success& help_or_version) {
    return after_output(program.exit(help_or_version));
  } catch (const CLI::ParseError& mistake) {
    return complain(cli::bad_input,
                    std::string(mistake.what()) + " (jackdaw --help tells more)" + cli::suggestion_for_rest(program));
  } catch (const error& mistake) {
    return complain(cli::bad_input, mistake.what());
  } catch (const std::bad_alloc&) {
    return complain(cli::failed, "not enough memory");
  } catch (const std::system_error& refused) {
    if (refused.code() != std::errc::resource_unavailable_try_again) return complain(cli::failed, refused.what());
    return complain(cli::bad_input, std::string("the system starts no more threads (") + refused.what() +
                                        "): allow more (ulimit -u, pids.max)");
  } catch (const std::exception& failure) {
    return complain(cli::failed, failure.what());
  }
  return after_output(result);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (...) {
    return jackdaw::cli::failed;  // not even stderr can be written
  }
}
