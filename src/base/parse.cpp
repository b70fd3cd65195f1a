#include <jackdaw/error.hpp>
#include <jackdaw/placement_order.hpp>
#include "base/byte_count.hpp"
#include "base/worker_count.hpp"

#include <charconv>
#include <string>

namespace jackdaw {
namespace {

[[noreturn]] void refuse(std::string_view where, const std::string& given, const std::string& expected) {
  throw error(std::string(where) + ": " + given + ", expected " + expected);
}

// A user's text, made fit for a one-line message.
std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string line = "'";
  for (const char c : text.substr(0, longest)) line += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return line + (text.size() > longest ? "...'" : "'");
}

std::string expected_workers() { return "a number of workers from 1 to " + std::to_string(max_workers); }

}  // namespace

unsigned parse_worker_count(std::string_view text, std::string_view where) {
  unsigned count = 0;
  const char* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), last, count);
  if (text.empty() || code != std::errc() || end != last || count < 1 || count > max_workers) {
    refuse(where, quoted(text), expected_workers());
  }
  return count;
}

unsigned checked_worker_count(unsigned long long count, std::string_view where) {
  if (count < 1 || count > max_workers) refuse(where, std::to_string(count), expected_workers());
  return static_cast<unsigned>(count);
}

std::uint64_t parse_byte_count(std::string_view text, std::string_view where) {
  constexpr std::uint64_t most = std::uint64_t{1} << 50;
  std::uint64_t count = 0;
  const char* const last = text.data() + text.size();
  auto [end, code] = std::from_chars(text.data(), last, count);
  unsigned shift = 0;
  if (end != last && code == std::errc()) {
    constexpr std::string_view suffixes = "KMG";
    shift = 10 * static_cast<unsigned>(suffixes.find(*end) + 1);
    if (shift != 0) ++end;
  }
  if (text.empty() || code != std::errc() || end != last || count < 1 || count > most >> shift) {
    refuse(where, quoted(text), "a number of bytes from 1 to 2^50, such as 50331648 or 48M");
  }
  return count << shift;
}

unsigned parse_branching(std::string_view text, std::string_view where) {
  unsigned count = 0;
  const char* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), last, count);
  if (text.empty() || code != std::errc() || end != last || count < 2 || count > 1024) {
    refuse(where, quoted(text), "a number of children from 2 to 1024");
  }
  return count;
}

std::string_view name_of(placement_order order) noexcept {
  return order == placement_order::scatter ? "scatter" : "compact";
}

placement_order parse_placement_order(std::string_view text, std::string_view where) {
  if (text == "scatter") return placement_order::scatter;
  if (text == "compact") return placement_order::compact;
  refuse(where, quoted(text), "scatter or compact");
}

}  // namespace jackdaw
