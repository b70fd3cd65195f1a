#include "cli/terminal/terminal.hpp"

#include <fmt/color.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

bool has_colours(std::FILE* stream) {
  return isatty(fileno(stream)) != 0 && environment("NO_COLOR").value_or("").empty() &&
         environment("TERM").value_or("") != "dumb";
}

fmt::text_style style_of(style as) {
  switch (as) {
    case style::heading:
      return fmt::emphasis::bold;
    case style::mistake:
    case style::missing:
      return fmt::emphasis::bold | fg(fmt::terminal_color::red);
    case style::good:
      return fg(fmt::terminal_color::green);
    case style::notice:
      return fg(fmt::terminal_color::yellow);
  }
  return {};
}

}  // namespace

std::optional<std::size_t> terminal_columns(std::FILE* stream) {
  if (isatty(fileno(stream)) == 0) return std::nullopt;
  winsize size{};
  constexpr std::size_t usual = 80, least = 40;  // a serial line does not tell; in fewer there is nothing to fold into
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return std::max<std::size_t>(size.ws_col, least);
}

std::string styled(std::string_view text, style as, std::FILE* stream) {
  return has_colours(stream) ? fmt::format(style_of(as), "{}", text) : std::string(text);
}

std::size_t columns_of(std::string_view text) {
  // The other bytes of a character in UTF-8 begin with the bits 10.
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }));
}

}  // namespace jackdaw::cli
