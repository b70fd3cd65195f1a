#pragma once

/// Of CLI11, whose header takes seconds to compile: only what gives a command its options includes it.
namespace CLI {
class App;
}

/// The program `jackdaw`: one file a command. A command throws jackdaw::error for what its user got wrong.
namespace jackdaw::cli {

/// Exit statuses: all went well; something failed that is not the user's mistake; bad input, and nothing was written.
enum status : int { good = 0, failed = 1, bad_input = 2 };

// Each adds a command to the program. When the user gives that command, it runs and sets `result`.
void add_doctor(CLI::App& program, int& result);
void add_list(CLI::App& program, int& result);
void add_bench(CLI::App& program, int& result);
void add_record(CLI::App& program, int& result);
void add_analyze(CLI::App& program, int& result);
void add_reproduce(CLI::App& program, int& result);
void add_simulate(CLI::App& program, int& result);
void add_machine(CLI::App& program, int& result);

}  // namespace jackdaw::cli
