#include "cli/terminal/say.hpp"

#include <algorithm>

#include "cli/terminal/fold.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {

void say_text(const std::string& text, std::string_view mark, style as) {
  std::string safe;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    safe += escaped(std::string_view(text).substr(at, end - at));
    if (end < text.size()) safe += '\n';
    at = end + 1;
  }
  const auto width = terminal_columns(stdout);
  if (width) safe = fold(safe, *width);
  if (const std::size_t at = safe.find(mark); !mark.empty() && at != safe.npos) {
    safe.replace(at, mark.size(), styled(mark, as));
  }
  fmt::print("{}", safe);
}

void warn_text(const std::string& text) {
  constexpr std::string_view name = "jackdaw:";
  std::string line = fmt::format("{} {}\n", name, one_line(text));
  if (const auto width = terminal_columns(stderr)) line = fold(line, *width);
  fmt::print(stderr, "{}{}", styled(name, style::mistake, stderr), line.substr(name.size()));
}

}  // namespace jackdaw::cli
