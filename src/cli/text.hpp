#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jackdaw::cli {

/// "32 MiB", "1.5 GiB", "0 B".
std::string bytes_text(std::uint64_t bytes);

/// Ascending numbers as ranges: "0-3,8".
std::string ranges_text(const std::vector<unsigned>& numbers);

/// "1 core", "2 cores".
std::string count_text(std::size_t count, std::string_view one, std::string_view many = {});

/// The words of a comma-separated list. Throws jackdaw::error, which names `where`, when one of them is empty.
std::vector<std::string> list_of(std::string_view text, std::string_view where);

/// The whole number in `text`, from `least` to `most`; else throws jackdaw::error, which names `where`.
unsigned number_of(std::string_view text, std::string_view where, unsigned least, unsigned most);

/// The words, separated by blanks.
template <class Words>
std::string joined(const Words& words) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

/// The value of an environment variable; empty if it is not set.
std::optional<std::string> environment(const char* name);

/// The time in UTC, in ISO 8601: "2026-01-02T03:04:05Z".
std::string utc_now();

/// `text`, which may come from a user or a file, as it is safe to print on a terminal: what is neither a letter nor
/// another visible character is escaped: "\x1b".
std::string escaped(std::string_view text);

/// The same of `text` with its line breaks replaced by blanks.
std::string one_line(std::string text);

}  // namespace jackdaw::cli
