#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace jackdaw::cli {

/// Names `cilk` for --help. If it is the command, replaces this process by the program jackdaw-cilk beside this one;
/// throws jackdaw::error, which says what to install, if that is not there.
void add_cilk_command(CLI::App& program, const std::vector<std::string>& words);

}  // namespace jackdaw::cli
