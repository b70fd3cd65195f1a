#include "profile/hotness/smaps.hpp"

#include <charconv>

namespace jackdaw::profile {
namespace {

/// "7f0000000000-7f0000001000 rw-p ...". Other lines begin with a capital letter.
bool read_addresses(std::string_view line, smaps_reader::mapping& into) noexcept {
  const char* const end = line.data() + line.size();
  const auto first = std::from_chars(line.data(), end, into.begin, 16);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return false;
  return std::from_chars(first.ptr + 1, end, into.end, 16).ec == std::errc();
}

bool is_header(std::string_view line) noexcept {
  return !line.empty() && ((line[0] >= '0' && line[0] <= '9') || (line[0] >= 'a' && line[0] <= 'f'));
}

}  // namespace

std::string_view smaps_reader::take_line() noexcept {
  const std::size_t end = left_.find('\n');
  const std::string_view line = left_.substr(0, end);
  left_.remove_prefix(end == std::string_view::npos ? left_.size() : end + 1);
  return line;
}

bool smaps_reader::next(mapping& into) noexcept {
  constexpr std::string_view key = "Referenced:";
  bool found = false;
  while (!left_.empty()) {
    if (is_header(left_)) {
      if (found) break;
      found = read_addresses(take_line(), into);
      into.referenced = 0;
      continue;
    }
    const std::string_view line = take_line();
    if (!line.starts_with(key)) continue;
    const std::size_t digits = line.find_first_not_of(' ', key.size());
    std::size_t kib = 0;
    if (digits != std::string_view::npos) std::from_chars(line.data() + digits, line.data() + line.size(), kib);
    into.referenced = kib * 1024;
  }
  return found;
}

}  // namespace jackdaw::profile
