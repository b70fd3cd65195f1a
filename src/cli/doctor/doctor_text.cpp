#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "cli/doctor/doctor.hpp"
#include "cli/terminal/say.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

constexpr std::size_t widest_matrix = 16;  // nodes; a larger one does not fit on a screen

void print_row(std::string_view label, const std::string& text) { say("{:<11} {}\n", label, text); }

// The sizes that occur, e.g. "1 MiB" or "1 MiB or 2 MiB".
std::string sizes_text(const std::set<std::uint64_t>& sizes) {
  std::string text;
  for (const std::uint64_t bytes : sizes) {
    if (!text.empty()) text += " or ";
    text += bytes == 0 ? "unknown" : bytes_text(bytes);
  }
  return text;
}

void print_hardware(const machine& m) {
  print_row("machine", fmt::format("{} (source: {})", m.name, m.source));
  print_row("", fmt::format("{}, {}, {}, {}", count_text(m.packages.size(), "package"),
                            count_text(m.numa_domains().size(), "NUMA domain"), count_text(m.cores.size(), "core"),
                            count_text(m.cpus.size(), "CPU")));
  if (m.core_types.size() > 1) {
    for (const machine::core_type& type : m.core_types) {
      const std::string name = type.name.empty() ? "" : " (" + type.name + ")";
      print_row(type.index == 0 ? "core types" : "",
                fmt::format("{}{}: cores {}", type.index, name, ranges_text(type.cores)));
    }
  }
  std::set<std::uint64_t> own, shared;
  std::set<unsigned> levels;
  for (const machine::core& core : m.cores) own.insert(core.private_cache);
  for (const machine::l3_group& group : m.l3_groups) {
    shared.insert(group.bytes);
    levels.insert(group.level);
  }
  const bool none = levels == std::set<unsigned>{0};
  print_row("caches",
            fmt::format("{} private to a core; {}", sizes_text(own),
                        none ? std::string("no shared cache is known")
                             : fmt::format("{} of {} shared by {}",
                                           count_text(m.l3_groups.size(), fmt::format("L{}", *levels.rbegin())),
                                           sizes_text(shared), count_text(m.l3_groups[0].cores.size(), "core"))));
}

void print_nodes(const machine& m) {
  bool fast = false;
  for (const machine::node& node : m.nodes) {
    fast = fast || node.bandwidth || node.latency;
    std::string line = fmt::format("node {}: {}", node.os_index,
                                   node.capacity == 0 ? std::string("no capacity known") : bytes_text(node.capacity));
    if (!node.kind.empty()) line += fmt::format(" {}", node.kind);
    line += node.cpu_less ? fmt::format(", no CPU, nearest to CPUs {}", ranges_text(node.local_cpus))
                          : fmt::format(", CPUs {}", ranges_text(node.local_cpus));
    if (node.bandwidth) line += fmt::format(", {:.0f} MiB/s", *node.bandwidth);
    if (node.latency) line += fmt::format(", {:.0f} ns", *node.latency);
    print_row(node.index == 0 ? "memory" : "", line);
  }
  print_row("", m.bandwidths_measured ? "bandwidth from the nearest CPUs: measured, by `jackdaw machine bandwidths`"
                : fast                ? "bandwidth and latency from the nearest CPUs: declared by the firmware"
                                      : "bandwidth and latency: not declared by the firmware");
  if (!fast && m.nodes.size() > 1) print_row("", "`jackdaw machine bandwidths` measures and keeps the bandwidths");
  if (m.nodes.size() == 1) return;
  print_row("distances", m.distances_declared
                             ? "declared by the firmware (10 is local)"
                             : "not declared; assumed: 10 between nodes with the same CPUs, otherwise 20");
  if (m.nodes.size() > widest_matrix) {
    print_row("", fmt::format("{} nodes: see --json for the matrix", m.nodes.size()));
    return;
  }
  for (const machine::node& from : m.nodes) {
    std::string line = fmt::format("from node {:>3}:", from.os_index);
    for (const machine::node& to : m.nodes) line += fmt::format(" {:>3}", m.node_distance(from.index, to.index));
    print_row("", line);
  }
}

void print_cpus(const machine& m) {
  std::map<machine::cpu_state, std::vector<unsigned>> by_state;
  for (const machine::cpu& cpu : m.cpus) by_state[cpu.state].push_back(cpu.os_index);
  for (const auto& [state, numbers] : by_state) {
    const bool usable = state == machine::cpu_state::usable;
    print_row(state == by_state.begin()->first ? "CPUs" : "",
              usable ? fmt::format("{} of {} usable: {}", numbers.size(), m.cpus.size(), ranges_text(numbers))
                     : fmt::format("not used: {} ({})", ranges_text(numbers), why(state)));
  }
  print_row("", m.cpu_quota ? fmt::format("the control group's quota allows {} at a time ({})",
                                          count_text(*m.cpu_quota, "CPU"), m.cpu_quota_source)
                            : std::string("no CPU quota"));
}

void print_workers(const diagnosis& all) {
  print_row("workers", fmt::format("{} ({}), scheduler {}, {}", all.places.size(), all.workers_from, all.scheduler,
                                   all.pinned       ? "pinned"
                                   : all.stay_in_l3 ? "pinned to their L3 caches, where others leave them room"
                                                    : "not pinned: " + all.not_pinned_because));
  constexpr unsigned most_lines = 16;
  unsigned lines = 0;
  for (std::size_t first = 0, last = 0; first < all.places.size(); first = last) {
    const worker_place& place = all.places[first];
    std::vector<unsigned> workers, cpus, cores;
    for (; last < all.places.size() && all.places[last].package == place.package &&
           all.places[last].numa_node == place.numa_node;
         ++last) {
      workers.push_back(static_cast<unsigned>(last));
      if (const auto cpu = all.places[last].os_cpu) cpus.push_back(*cpu);
      if (cores.empty() || cores.back() != all.places[last].core) cores.push_back(all.places[last].core);
    }
    if (++lines > most_lines) {
      print_row("", fmt::format("... see --json for the other {}", all.places.size() - first));
      return;
    }
    const auto some = [](const char* what, const std::vector<unsigned>& numbers) {
      return fmt::format("{}{} {}", what, numbers.size() == 1 ? "" : "s", ranges_text(numbers));
    };
    print_row("", fmt::format("package {}, node {}: {} on {}", place.package, all.found.nodes[place.numa_node].os_index,
                              some("worker", workers), all.pinned ? some("CPU", cpus) : some("core", cores)));
  }
}

std::string_view mark(system_check::verdict state) {
  switch (state) {
    case system_check::verdict::good:
      return "ok";
    case system_check::verdict::notice:
      return "note";
    case system_check::verdict::missing:
      return "missing";
  }
  return "";
}

style style_of(system_check::verdict state) {
  switch (state) {
    case system_check::verdict::good:
      return style::good;
    case system_check::verdict::notice:
      return style::notice;
    case system_check::verdict::missing:
      return style::missing;
  }
  return style::heading;
}

}  // namespace

void print_text(const diagnosis& all) {
  print_hardware(all.found);
  print_nodes(all.found);
  print_cpus(all.found);
  print_workers(all);
  say_text("\non this computer\n", "on this computer");
  bool fixes = false;
  for (const system_check& check : all.checks) {
    say_text(fmt::format("  {:<8} {:<22} {}\n", mark(check.state), check.name, check.found), mark(check.state),
             style_of(check.state));
    fixes = fixes || !check.fix.empty();
  }
  if (fixes) say_text("\nto fix\n", "to fix");
  for (const system_check& check : all.checks) {
    if (!check.fix.empty()) say("  {}: {}\n", check.name, check.fix);
  }
}

}  // namespace jackdaw::cli
