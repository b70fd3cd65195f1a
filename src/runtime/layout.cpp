#include "runtime/layout.hpp"

#include <algorithm>

namespace jackdaw::detail {

namespace {

/// Adjacent workers are in one squad unless apart(one's place, the next one's).
template <class Apart>
std::vector<sched::squad> divide(const machine& where, const std::vector<worker_place>& places, const Apart& apart) {
  std::vector<sched::squad> found;
  std::vector<unsigned> caches;  // of the current squad
  for (std::uint32_t id = 0; id < places.size(); ++id) {
    const worker_place& at = places[id];
    if (id == 0 || apart(places[id - 1], at)) {
      found.push_back({.workers = {id, id}});
      caches.clear();
    }
    found.back().workers.last = id;
    if (std::find(caches.begin(), caches.end(), at.l3_group) == caches.end()) {
      caches.push_back(at.l3_group);
      found.back().shared_cache += where.l3_groups.at(at.l3_group).bytes;
    }
  }
  return found;
}

bool in_one_domain(const worker_place& a, const worker_place& b) {
  return a.package == b.package && a.numa_node == b.numa_node;
}

}  // namespace

std::vector<sched::squad> squads_of(const machine& where, const std::vector<worker_place>& places) {
  return divide(where, places,
                [](const worker_place& before, const worker_place& at) { return !in_one_domain(before, at); });
}

std::vector<sched::squad> cache_squads_of(const machine& where, const std::vector<worker_place>& places) {
  return divide(where, places, [&](const worker_place& before, const worker_place& at) {
    return !in_one_domain(before, at) || (before.l3_group != at.l3_group && where.l3_groups.at(at.l3_group).level == 3);
  });
}

std::vector<unsigned> usable_cpus(const machine& where) {
  std::vector<unsigned> found;
  for (const machine::cpu& each : where.cpus) {
    if (each.state == machine::cpu_state::usable) {
      found.push_back(each.os_index);
    }
  }
  return found;
}

cpu_mask usable_mask(const machine& where) noexcept {
  cpu_mask found((std::vector<unsigned>()));
  for (const machine::cpu& each : where.cpus) {
    if (each.state == machine::cpu_state::usable) {
      found.add(each.os_index);
    }
  }
  return found;
}

std::vector<std::uint64_t> private_caches(const machine& where, const std::vector<worker_place>& places) {
  std::vector<std::uint64_t> sizes;
  sizes.reserve(places.size());
  for (const worker_place& each : places) sizes.push_back(where.cores.at(each.core).private_cache);
  return sizes;
}

std::vector<unsigned> cpus_of(const machine& where, const worker_place& place) {
  if (place.os_cpu) return {*place.os_cpu};
  if (!place.stays_in_l3) return usable_cpus(where);
  std::vector<unsigned> found;
  for (const machine::core& each : where.cores) {
    if (each.l3_group == place.l3_group && each.type == where.cores.at(place.core).type) {
      found.insert(found.end(), each.usable_os_cpus.begin(), each.usable_os_cpus.end());
    }
  }
  return found;
}

bool are_pinned(const std::vector<worker_place>& places) {
  return std::all_of(places.begin(), places.end(),
                     [](const worker_place& each) { return each.os_cpu.has_value() || each.stays_in_l3; });
}

}  // namespace jackdaw::detail
