#include "numa/census.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/own_mapping.hpp"
#include "jackdaw/memory/page_locations.hpp"
#include "numa/locate.hpp"

namespace jackdaw::numa {
namespace {

/// Smaller mappings are not looked at.
constexpr std::uint64_t least_bytes = 128 * 1024;
/// The memory that one page stands for: this much, or more in a process with more than `most_pieces` of them.
constexpr std::uint64_t usual_piece = 64 * 1024, most_pieces = 4096;

std::string text_of(const char* path) {
  std::string text;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  constexpr std::size_t step = 64 * 1024;
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + step);
    const ssize_t got = read(file, text.data() + before, step);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) break;
  }
  close(file);
  return text;
}

/// Takes the next word of a line.
std::string_view take_word(std::string_view& line) noexcept {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(begin);
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

}  // namespace

std::vector<mapping> anonymous_mappings(const std::string& maps) {
  std::vector<mapping> found;
  std::string_view rest = maps;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::string_view range = take_word(line), rights = take_word(line);
    take_word(line);  // offset
    take_word(line);  // device
    const std::string_view inode = take_word(line), name = take_word(line);
    if (inode != "0" || !rights.starts_with("rw") ||
        (!name.empty() && name != "[heap]" && !name.starts_with("[anon"))) {
      continue;
    }
    mapping each;
    const char* const end = range.data() + range.size();
    const auto first = std::from_chars(range.data(), end, each.begin, 16);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') continue;
    if (std::from_chars(first.ptr + 1, end, each.end, 16).ec != std::errc() || each.end <= each.begin) continue;
    found.push_back(each);
  }
  return found;
}

std::vector<mapping> without(const std::vector<mapping>& all, const std::vector<detail::own_range>& own) {
  std::vector<mapping> rest;
  auto next = own.begin();
  for (mapping each : all) {
    while (next != own.end() && next->end <= each.begin) ++next;
    for (auto at = next; at != own.end() && at->begin < each.end; ++at) {
      if (each.begin < at->begin) rest.push_back({each.begin, at->begin});
      each.begin = at->end;
    }
    if (each.begin < each.end) rest.push_back(each);
  }
  return rest;
}

std::vector<mapping> anonymous_mappings() { return anonymous_mappings(text_of("/proc/self/maps")); }

std::span<const census::piece> census::pieces(std::uintptr_t begin, std::uintptr_t end) const noexcept {
  const auto first = std::partition_point(pieces_.begin(), pieces_.end(),
                                          [&](const piece& each) { return each.begin + each.bytes <= begin; });
  return {first, std::partition_point(first, pieces_.end(), [&](const piece& each) { return each.begin < end; })};
}

void census::look(std::uint32_t number) {
  names_ = name_changes();
  // In this order, or memory that the runtime maps in between would seem to be the program's.
  std::vector<mapping> all = anonymous_mappings();
  all = without(all, detail::own_ranges());
  std::erase_if(all, [](const mapping& each) { return each.end - each.begin < least_bytes; });
  std::uint64_t sum = 0;
  for (const mapping& each : all) sum += each.end - each.begin;
  std::uint64_t step = usual_piece;
  while (sum / step > most_pieces) step *= 2;

  std::vector<void*> asked;
  std::vector<piece> now;
  for (const mapping& each : all) {
    // At multiples of the step, so that the next look asks for the same pages although mappings have grown.
    for (std::uintptr_t begin = each.begin; begin < each.end;) {
      const std::uintptr_t end = std::min<std::uintptr_t>(each.end, (begin / step + 1) * step);
      now.push_back({begin, end - begin, -1, number});
      asked.push_back(reinterpret_cast<void*>(begin + (end - begin) / 2 / base_page_size() * base_page_size()));
      begin = end;
    }
  }
  int refusal = 0;
  const std::vector<int> nodes = nodes_of(*kernel_, asked, refusal);
  std::size_t kept = 0;
  auto before = pieces_.begin();
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (nodes[i] < 0) continue;
    piece& each = now[kept++] = now[i];
    each.node = nodes[i];
    while (before != pieces_.end() && before->begin + before->bytes <= each.begin) ++before;
    if (before != pieces_.end() && before->begin < each.begin + each.bytes) each.since = before->since;
  }
  now.resize(kept);
  pieces_ = std::move(now);
}

}  // namespace jackdaw::numa
