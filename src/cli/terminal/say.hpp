#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "cli/terminal/terminal.hpp"

namespace jackdaw::cli {

/// Prints text for people to stdout: whole lines. What a terminal would obey is escaped (one_line), and on a terminal
/// wide lines are folded. The first `mark` in it is styled.
void say_text(const std::string& text, std::string_view mark = {}, style as = style::heading);

template <class... What>
void say(fmt::format_string<What...> how, What&&... what) {
  say_text(fmt::format(how, std::forward<What>(what)...));
}

/// Prints "jackdaw: " and the text to stderr, as one line; a terminal gets it folded.
void warn_text(const std::string& text);

template <class... What>
void warn(fmt::format_string<What...> how, What&&... what) {
  warn_text(fmt::format(how, std::forward<What>(what)...));
}

}  // namespace jackdaw::cli
