#pragma once

#include <string>
#include <vector>

/// Declared here because CLI11's header takes seconds to compile; only files that add options include it.
namespace CLI {
class App;
}

/// The program `jackdaw`: one file per command. A command throws jackdaw::error for a user's mistake.
namespace jackdaw::cli {

/// Exit statuses. good: all went well. failed: a failure that is not the user's mistake. bad_input: nothing was
/// written.
enum status : int { good = 0, failed = 1, bad_input = 2 };

// Each adds a command to the program. When the user gives that command, it runs and sets `result`.
void add_doctor(CLI::App& program, int& result);
void add_list(CLI::App& program, int& result);
void add_bench(CLI::App& program, int& result);
void add_record(CLI::App& program, int& result);
void add_analyze(CLI::App& program, int& result);
void add_reproduce(CLI::App& program, int& result);
void add_simulate(CLI::App& program, int& result);
void add_top(CLI::App& program, int& result);
void add_machine(CLI::App& program, int& result);
void add_measure(CLI::App& program, int& result);

/// Adds `help`.
void add_help(CLI::App& program);
/// `help COMMAND...` as the same with --help; other command lines as they are, without the program's name.
std::vector<std::string> with_help_as_option(int argc, const char* const* argv);
/// Throws jackdaw::error, which says what was expected and perhaps meant, if the first word is no command.
void check_command(const CLI::App& program, const std::vector<std::string>& words);
/// What may have been meant by the options and words that the command does not know.
std::string suggestion_for_rest(const CLI::App& program);

/// Adds the commands that are Python's (python_command.hpp). If the first word is one of them, runs it at once with all
/// that follows, and does not return.
void add_python_commands(CLI::App& program, const std::vector<std::string>& words);

/// Adds `run`, which becomes another program. Takes what follows its `--` off the words: that is the other program's.
void add_run(CLI::App& program, std::vector<std::string>& words);

}  // namespace jackdaw::cli
