#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace jackdaw::cli {

/// The values of an option or argument, given the words of the command line.
using choices = std::function<std::vector<std::string>(const std::vector<std::string>& words)>;

/// Notes the values of an option, which `complete` offers. A list of several is separated by commas.
void offer(const CLI::Option& option, choices values);
void offer(const CLI::Option& option, std::vector<std::string> values);

/// A word that may stand where the cursor is.
struct candidate {
  std::string word, text;  ///< the text says in a few words what it is; may be empty
};

/// The words that may replace the last one of `words`, a command line without the program's name: commands, options and
/// values that begin with it. None: a shell had better offer files.
std::vector<candidate> complete(const CLI::App& program, const std::vector<std::string>& words);

/// Adds `completion`, which prints what a shell has to read to complete command lines. Such a shell calls the program
/// with the word __complete and the words of the command line; if argv[1] is that, prints the candidates, a line each,
/// with a tab before the text, and returns true.
void add_completion(CLI::App& program, int& result);
bool answer_completion(const CLI::App& program, int argc, const char* const* argv);

}  // namespace jackdaw::cli
