#include "machine/measured_bandwidths.hpp"

#include <jackdaw/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "machine/cgroup.hpp"

namespace jackdaw {
namespace {

constexpr std::string_view first_line = "jackdaw-bandwidths 1";

std::string folder() {
  // No thread sets a variable while this reads them. NOLINTBEGIN(concurrency-mt-unsafe)
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/jackdaw";
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/jackdaw" : std::string();
  // NOLINTEND(concurrency-mt-unsafe)
}

/// FNV-1a: the same result on every computer and in every version.
std::uint64_t hash(std::string_view text) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char each : text) sum = (sum ^ static_cast<unsigned char>(each)) * 0x100000001b3;
  return sum;
}

/// Parses a line such as "node 3 21453.5"; empty if it is none.
std::optional<measured_bandwidth> parse_node(std::string_view line) {
  constexpr std::string_view begin = "node ";
  if (!line.starts_with(begin)) return {};
  measured_bandwidth made;
  const char* const end = line.data() + line.size();
  const auto number = std::from_chars(line.data() + begin.size(), end, made.os_node);
  if (number.ec != std::errc() || number.ptr == end || *number.ptr != ' ') return {};
  const auto rate = std::from_chars(number.ptr + 1, end, made.mib_per_s);
  if (rate.ec != std::errc() || rate.ptr != end || !std::isfinite(made.mib_per_s) || made.mib_per_s <= 0) return {};
  return made;
}

}  // namespace

std::string bandwidth_file(const machine& of) {
  const std::string in = folder();
  if (in.empty()) return {};
  std::string what = of.name + ';' + std::to_string(of.cores.size());
  for (const machine::node& node : of.nodes) {
    what += ';' + std::to_string(node.os_index) + ',' + std::to_string(node.cores.size());
  }
  char name[32];
  std::snprintf(name, sizeof name, "/bandwidths-%016llx", static_cast<unsigned long long>(hash(what)));
  return in + name;
}

std::string bandwidth_text(const std::vector<measured_bandwidth>& nodes, std::string_view date) {
  std::string text = std::string(first_line) + "\n# MiB/s that memory nodes give their nearest CPUs, measured on " +
                     std::string(date) + " by `jackdaw machine bandwidths`\n";
  for (const measured_bandwidth& each : nodes) {
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.0f", each.mib_per_s);
    text += "node " + std::to_string(each.os_node) + ' ' + rate + '\n';
  }
  return text;
}

std::vector<measured_bandwidth> parse_bandwidths(std::string_view text, const std::string& file) {
  std::vector<measured_bandwidth> nodes;
  for (std::size_t number = 1; !text.empty() || number == 1; ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto refuse = [&](std::string_view expected) {
      std::string says = file + ':' + std::to_string(number) + ": '";
      says.append(line).append("', expected ").append(expected).append("; remove the file to measure anew");
      return error(says);
    };
    if (number == 1) {
      if (line != first_line) throw refuse("'jackdaw-bandwidths 1'");
    } else if (!line.empty() && !line.starts_with('#')) {
      const auto node = parse_node(line);
      if (!node) throw refuse("'node NUMBER MIB_PER_S'");
      nodes.push_back(*node);
    }
  }
  return nodes;
}

void recall_bandwidths(machine& found) {
  const auto declared = [](const machine::node& node) { return node.bandwidth.value_or(0) > 0; };
  if (found.nodes.size() < 2 || std::all_of(found.nodes.begin(), found.nodes.end(), declared)) return;
  const std::string file = bandwidth_file(found);
  const auto text = file.empty() ? std::nullopt : read_text_file(file);
  if (!text) return;
  const std::vector<measured_bandwidth> known = parse_bandwidths(*text, file);
  for (machine::node& node : found.nodes) {
    const auto of_node = std::find_if(known.begin(), known.end(),
                                      [&](const measured_bandwidth& each) { return each.os_node == node.os_index; });
    if (of_node == known.end()) {
      throw error(file + ": no line for node " + std::to_string(node.os_index) +
                  ", expected one for each node; remove the file to measure anew");
    }
    node.bandwidth = of_node->mib_per_s;
  }
  found.bandwidths_measured = true;
}

}  // namespace jackdaw
