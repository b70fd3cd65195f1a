#include "machine/probe/numa_figures.hpp"

#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>

#include "machine/probe/kernels.hpp"
#include "machine/probe/memory.hpp"
#include "machine/probe/sockets.hpp"

namespace jackdaw::probe {
namespace {

constexpr double ns_of_a_figure = 200e6;
constexpr std::size_t one_mib = 1 << 20;

/// The usable CPUs of a node's cores, one a core.
std::map<unsigned, std::vector<unsigned>> cpus_by_node(const machine& found) {
  std::map<unsigned, std::vector<unsigned>> all;
  for (const socket& each : sockets_of(found)) {
    std::vector<unsigned>& cpus = all[each.node];
    cpus.insert(cpus.end(), each.os_cpus.begin(), each.os_cpus.end());
  }
  return all;
}

/// Too large for any cache, a power of two.
std::size_t beyond_caches(const machine& found, const machine::node& node) {
  std::uint64_t largest = 0;
  for (const machine::l3_group& each : found.l3_groups) largest = std::max(largest, each.bytes);
  const std::size_t wanted = std::clamp<std::size_t>(8 * largest, 64 * one_mib, 512 * one_mib);
  return std::bit_floor(std::min<std::size_t>(wanted, std::max<std::uint64_t>(node.capacity / 4, one_mib)));
}

/// A chain through memory on a node: bound to it, or where that is not permitted, touched first by a core there.
std::optional<buffer> chain_on(const machine& found, const machine::node& node, const std::vector<unsigned>& own_cpus,
                               unsigned any_cpu) {
  const std::size_t bytes = beyond_caches(found, node);
  std::optional<buffer> made = buffer::on_node(bytes, node.os_index);
  if (!made) {
    if (own_cpus.empty()) return std::nullopt;
    made.emplace(bytes);
  }
  on_cpu(own_cpus.empty() ? any_cpu : own_cpus.front(), [&] { make_chain(made->data(), bytes / line); });
  return made;
}

double bandwidth_of(const std::vector<unsigned>& os_cpus, const buffer& from) {
  std::vector<stream_job> jobs;
  const std::size_t part = from.words() / os_cpus.size();
  for (std::size_t i = 0; i < os_cpus.size(); ++i) jobs.push_back({os_cpus[i], from.data() + i * part, part});
  return stream_rate(jobs, ns_of_a_figure);
}

}  // namespace

std::optional<double> numa_figures::reader::ratio() const {
  if (!home || !(latency[*home] > 0)) return std::nullopt;
  double sum = 0, count = 0;
  for (const std::size_t node : remote) {
    if (!(latency[node] > 0)) continue;
    sum += latency[node];
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count / latency[*home];
}

double numa_figures::ratio() const {
  double sum = 0, count = 0;
  for (const reader& each : readers) {
    if (const std::optional<double> its = each.ratio()) {
      sum += *its;
      ++count;
    }
  }
  return count == 0 ? 1 : sum / count;
}

std::string numa_figures::no_ratio() const {
  if (std::any_of(readers.begin(), readers.end(), [](const reader& each) { return each.ratio().has_value(); }))
    return "";
  const bool any = std::any_of(readers.begin(), readers.end(), [](const reader& each) { return !each.remote.empty(); });
  if (any) return "no remote latency is known";
  return nodes.size() == 1 ? "there is one memory node, so no access is remote"
                           : "only one memory node has cores, so no core's own memory is remote to another";
}

numa_figures measure_numa(const machine& found) {
  if (!found.is_this_computer) {
    throw error(found.source + ": describes another machine, expected this computer, or a machine file with --machine");
  }
  const std::map<unsigned, std::vector<unsigned>> cpus = cpus_by_node(found);
  numa_figures made;
  std::vector<std::size_t> homes;            // indices into made.nodes
  std::map<unsigned, std::size_t> index_of;  // in made.nodes, by index into found.nodes
  for (const machine::node& node : found.nodes) {
    if (node.capacity == 0) continue;
    index_of[node.index] = made.nodes.size();
    if (!node.cpu_less) homes.push_back(made.nodes.size());
    made.nodes.push_back(node.os_index);
    if (!node.cpu_less && cpus.count(node.index) == 0) {
      made.notes.push_back(
          fmt::format("node {}: none of its CPUs may be used, so it has no row (see jackdaw doctor)", node.os_index));
    }
  }
  for (const auto& [node, own] : cpus) {
    numa_figures::reader& each = made.readers.emplace_back();
    each.number = found.nodes[node].os_index;
    each.latency.resize(made.nodes.size());
    each.bandwidth.resize(made.nodes.size());
    if (const auto home = index_of.find(node); home != index_of.end()) each.home = home->second;
    std::copy_if(homes.begin(), homes.end(), std::back_inserter(each.remote),
                 [&](std::size_t other) { return each.home != other; });
  }
  for (const machine::node& node : found.nodes) {
    if (node.capacity == 0) continue;
    const auto own = cpus.find(node.index);
    const std::vector<unsigned> own_cpus = own != cpus.end() ? own->second : std::vector<unsigned>{};
    const std::optional<buffer> chain = chain_on(found, node, own_cpus, cpus.begin()->second.front());
    if (!chain) {
      made.notes.push_back(
          fmt::format("node {}: the system refuses to bind memory to it (mbind), so it has no figures", node.os_index));
      continue;
    }
    const std::size_t at = index_of.at(node.index);
    std::size_t row = 0;
    for (const auto& [reader, os_cpus] : cpus) {
      made.readers[row].latency[at] = chase_latency(os_cpus.front(), *chain, ns_of_a_figure);
      made.readers[row].bandwidth[at] = bandwidth_of(os_cpus, *chain);
      ++row;
    }
  }
  return made;
}

}  // namespace jackdaw::probe
