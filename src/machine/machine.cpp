#include <jackdaw/machine.hpp>

#include <algorithm>

namespace jackdaw {

unsigned machine::usable_cores() const noexcept {
  return static_cast<unsigned>(
      std::count_if(cores.begin(), cores.end(), [](const core& c) { return !c.usable_os_cpus.empty(); }));
}

unsigned machine::usable_cpus() const noexcept {
  return static_cast<unsigned>(
      std::count_if(cpus.begin(), cpus.end(), [](const cpu& c) { return c.state == cpu_state::usable; }));
}

std::vector<unsigned> machine::numa_domains() const {
  std::vector<unsigned> domains;
  for (const node& n : nodes) {
    if (!n.cpu_less) domains.push_back(n.index);
  }
  return domains;
}

unsigned machine::default_workers() const noexcept {
  const unsigned usable = std::max(1u, usable_cores());
  return cpu_quota ? std::min(usable, *cpu_quota) : usable;
}

std::uint64_t machine::node_distance(unsigned from, unsigned to) const {
  return node_distances[std::size_t{from} * nodes.size() + to];
}

unsigned machine::distance(const worker_place& a, const worker_place& b) const {
  if (a.package == b.package) {
    if (a.numa_node != b.numa_node) return 3;
    if (a.l3_group != b.l3_group) return 2;
    return a.core != b.core ? 1 : 0;
  }
  constexpr unsigned other_package = 4;
  if (!distances_declared) return other_package;
  // Level 4 plus the number of distinct smaller distances between homes of cores in different packages.
  return other_package + static_cast<unsigned>(std::lower_bound(remote_distances.begin(), remote_distances.end(),
                                                                std::max(node_distance(a.numa_node, b.numa_node),
                                                                         node_distance(b.numa_node, a.numa_node))) -
                                               remote_distances.begin());
}

std::string_view why(machine::cpu_state state) noexcept {
  switch (state) {
    case machine::cpu_state::usable:
      return "usable";
    case machine::cpu_state::offline:
      return "offline";
    case machine::cpu_state::not_in_cpuset:
      return "left out by the control group's cpuset";
    case machine::cpu_state::not_in_affinity:
      return "left out by the affinity mask";
  }
  return "";
}

}  // namespace jackdaw
