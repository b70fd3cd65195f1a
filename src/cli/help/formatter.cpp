#include "cli/help/formatter.hpp"

#include <CLI/CLI.hpp>

#include <sstream>
#include <string>

#include "cli/terminal/fold.hpp"
#include "cli/terminal/terminal.hpp"

namespace jackdaw::cli {
namespace {

class formatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    const auto width = terminal_columns(stdout);
    if (!width) return text;
    std::istringstream lines(fold(text, *width, indented::commands));
    std::string result;
    for (std::string line; std::getline(lines, line);) {
      const bool heading = !line.empty() && line.front() != ' ' && line.back() == ':';
      result += (heading ? styled(line, style::heading) : line) + '\n';
    }
    return result;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> make_formatter() { return std::make_shared<formatter>(); }

}  // namespace jackdaw::cli
