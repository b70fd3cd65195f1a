#include "cli/text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>

namespace jackdaw::cli {

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  const std::string digits = fmt::format("{:.1f}", value);
  return (digits.ends_with(".0") ? digits.substr(0, digits.size() - 2) : digits) + " " + units[unit];
}

std::string ranges_text(const std::vector<unsigned>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

std::string count_text(std::size_t count, std::string_view one, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

std::vector<std::string> list_of(std::string_view text, std::string_view where) {
  std::vector<std::string> words;
  for (;;) {
    const std::size_t comma = text.find(',');
    words.emplace_back(text.substr(0, comma));
    if (words.back().empty()) throw error(fmt::format("{}: an empty name, expected comma-separated names", where));
    if (comma == text.npos) return words;
    text.remove_prefix(comma + 1);
  }
}

unsigned number_of(std::string_view text, std::string_view where, unsigned least, unsigned most) {
  unsigned value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), last, value);
  if (text.empty() || code != std::errc() || end != last || value < least || value > most) {
    throw error(fmt::format("{}: '{}', expected a whole number from {} to {}", where, one_line(std::string(text)),
                            least, most));
  }
  return value;
}

std::optional<std::string> environment(const char* name) {
  // No thread sets a variable while this reads one. NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::string one_line(std::string text) {
  text.erase(text.find_last_not_of(" \r\n") + 1);
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return escaped(text);
}

std::string escaped(std::string_view text) {
  // fmt escapes a whole string, and in it also quotes and backslashes, which do no harm here.
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\"\\", at), text.size());
    const std::string quoted = fmt::format("{:?}", text.substr(at, end - at));
    shown.append(quoted, 1, quoted.size() - 2);
    if (end < text.size()) shown += text[end];
    at = end + 1;
  }
  return shown;
}

}  // namespace jackdaw::cli
