#include "runtime/memory_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "numa/numa_kernel.hpp"
#include "runtime/layout.hpp"

namespace jackdaw::detail {
namespace {

bool runs_near(const worker_place& place, const numa::node_view& node, const machine& where) {
  const auto is_near = [&](unsigned cpu) {
    return std::find(node.nearby.begin(), node.nearby.end(), cpu) != node.nearby.end();
  };
  if (place.os_cpu) return is_near(*place.os_cpu);
  const std::vector<unsigned>& cpus = where.cores.at(place.core).os_cpus;
  return std::any_of(cpus.begin(), cpus.end(), is_near);
}

/// Returns the squad that a node is local to: that of the first worker that is at home there, otherwise that of the
/// first worker near it.
std::uint32_t squad_near(const numa::node_view& node, const machine& where, const std::vector<sched::squad>& squads,
                         const std::vector<worker_place>& places) {
  const auto first_with = [&](auto&& fits) {
    for (std::uint32_t number = 0; number < squads.size(); ++number) {
      for (std::uint32_t id = squads[number].workers.first; id <= squads[number].workers.last; ++id) {
        if (fits(places[id])) return number;
      }
    }
    return sched::none;
  };
  const std::uint32_t home =
      first_with([&](const worker_place& each) { return where.nodes.at(each.numa_node).os_index == node.os; });
  return home != sched::none ? home
                             : first_with([&](const worker_place& each) { return runs_near(each, node, where); });
}

}  // namespace

memory_nodes memory_nodes::of(const numa::memory_view& view, const machine& where,
                              const std::vector<sched::squad>& squads, const std::vector<worker_place>& places) {
  memory_nodes found;
  for (const sched::squad& squad : squads) {
    std::vector<unsigned>& its = found.cpus.emplace_back();
    for (std::uint32_t id = squad.workers.first; id <= squad.workers.last; ++id) {
      if (!are_pinned({places[id]})) continue;
      const std::vector<unsigned> more = cpus_of(where, places[id]);
      its.insert(its.end(), more.begin(), more.end());
    }
  }
  std::vector<const numa::node_view*> used;
  for (const numa::node_view& node : view.nodes) {
    if (!node.allowed) continue;
    used.push_back(&node);
    found.os.push_back(node.os);
    found.nodes.push_back({.squad = squad_near(node, where, squads, places), .bandwidth = node.bandwidth.value_or(0)});
  }
  if (found.nodes.empty()) {
    found.nodes.push_back({.squad = 0});
    found.os.push_back(0);
    return found;
  }
  const bool known =
      std::all_of(found.nodes.begin(), found.nodes.end(), [](const auto& each) { return each.bandwidth > 0; });
  for (std::size_t i = 0; i < used.size(); ++i) {
    sched::memory_node& node = found.nodes[i];
    for (std::size_t j = 0; j < used.size(); ++j) {
      const sched::memory_node& other = found.nodes[j];
      const bool faster =
          known ? node.bandwidth > other.bandwidth : calls_itself_fast(*used[i]) && !calls_itself_fast(*used[j]);
      node.fast = node.fast || (node.squad == other.squad && faster);
    }
  }
  for (sched::memory_node& each : found.nodes) {
    if (!known) each.bandwidth = 1;
  }
  return found;
}

memory_nodes memory_nodes::here(const machine& where, const std::vector<sched::squad>& squads,
                                const std::vector<worker_place>& places) {
  return of(numa::view_of(where, where.bindable() ? numa::allowed_nodes() : std::nullopt), where, squads, places);
}

std::uint32_t memory_nodes::index_of(int node) const noexcept {
  const auto at = std::find_if(os.begin(), os.end(), [node](unsigned each) { return static_cast<int>(each) == node; });
  return at == os.end() ? sched::none : static_cast<std::uint32_t>(at - os.begin());
}

}  // namespace jackdaw::detail
