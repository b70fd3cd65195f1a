#include "machine/probe/probe_bandwidths.hpp"

#include <jackdaw/error.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

#include "machine/probe/memory.hpp"

namespace jackdaw::probe {
namespace {

constexpr double ns_of_a_node = 100e6;
/// Beyond what caches hold.
constexpr std::size_t bytes_of_a_core = 32 << 20, most_bytes = std::size_t{2} << 30;

/// One CPU of each usable core near the node.
std::vector<unsigned> readers_of(const machine& found, const machine::node& node) {
  std::vector<unsigned> readers;
  for (const machine::core& core : found.cores) {
    const auto near = std::find_if(core.usable_os_cpus.begin(), core.usable_os_cpus.end(), [&](unsigned cpu) {
      return std::find(node.local_cpus.begin(), node.local_cpus.end(), cpu) != node.local_cpus.end();
    });
    if (near != core.usable_os_cpus.end()) readers.push_back(*near);
  }
  return readers;
}

}  // namespace

std::vector<measured_bandwidth> probe_bandwidths(const machine& found) {
  if (!found.is_this_computer) throw error(found.source + ": describes another machine, expected this computer");
  std::vector<measured_bandwidth> nodes;
  for (const machine::node& node : found.nodes) {
    if (node.capacity == 0) continue;
    const std::vector<unsigned> readers = readers_of(found, node);
    const std::string name = "node " + std::to_string(node.os_index);
    if (readers.empty()) throw error(name + ": no usable CPU near it, expected one to measure its bandwidth from");
    const std::size_t part =
        std::min({bytes_of_a_core, most_bytes / readers.size(), std::size_t{node.capacity / 4} / readers.size()});
    const auto memory = buffer::on_node(part * readers.size(), node.os_index);
    if (!memory) throw error(name + ": the system refuses to bind memory to it (mbind), expected permission");
    std::fill_n(memory->data(), memory->words(), 1);
    std::vector<stream_job> jobs;
    jobs.reserve(readers.size());
    const std::size_t words = memory->words() / readers.size();
    for (std::size_t i = 0; i < readers.size(); ++i) jobs.push_back({readers[i], memory->data() + i * words, words});
    constexpr double bytes_per_ns_in_mib_per_s = 1e9 / (1 << 20);
    nodes.push_back({node.os_index, stream_rate(jobs, ns_of_a_node) * bytes_per_ns_in_mib_per_s});
  }
  return nodes;
}

}  // namespace jackdaw::probe
