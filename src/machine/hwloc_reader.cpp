#include "machine/hwloc_reader.hpp"

#include <jackdaw/error.hpp>

#include "machine/cgroup.hpp"

#include <hwloc/cpukinds.h>
#include <hwloc/distances.h>
#include <hwloc/memattrs.h>
#include <pthread.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <tuple>

namespace jackdaw {
namespace {

// Held by the only thread that is in hwloc, and while the process forks. hwloc has locks of its own, and it loads and
// unloads plugins, for which the C library holds the lock of its list of functions to run at exit. It does not repair
// that lock in the child, which could then neither start a runtime nor exit().
std::mutex reading;

// Registered when the library is loaded, before any thread can be in hwloc. 0: success; else there is no memory, and
// a child of a fork may hang.
[[maybe_unused]] const int seen_to =
    pthread_atfork([] { reading.lock(); }, [] { reading.unlock(); }, [] { reading.unlock(); });

std::vector<unsigned> members(hwloc_const_bitmap_t bits) {
  std::vector<unsigned> found;
  if (bits == nullptr || hwloc_bitmap_weight(bits) < 0) return found;  // no set, or an endless one
  for (int i = hwloc_bitmap_first(bits); i != -1; i = hwloc_bitmap_next(bits, i)) {
    found.push_back(static_cast<unsigned>(i));
  }
  return found;
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\n") == text.npos; }

// The smallest object of this type around these CPUs, or inside them (descriptions may put a cache below a core).
hwloc_obj_t around_or_inside(hwloc_topology_t topology, hwloc_obj_t object, hwloc_obj_type_t type) {
  if (const hwloc_obj_t above = hwloc_get_ancestor_obj_by_type(topology, type, object)) return above;
  return hwloc_get_next_obj_inside_cpuset_by_type(topology, object->cpuset, type, nullptr);
}

unsigned cores_in(hwloc_topology_t topology, hwloc_const_cpuset_t cpus) {
  const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, cpus, HWLOC_OBJ_CORE);
  if (cores > 0) return static_cast<unsigned>(cores);
  return static_cast<unsigned>(std::max(0, hwloc_get_nbobjs_inside_cpuset_by_type(topology, cpus, HWLOC_OBJ_PU)));
}

// hwloc knows this on some systems only.
std::optional<bool> is_inclusive(hwloc_obj_t cache) {
  const char* const text = cache != nullptr ? hwloc_obj_get_info_by_name(cache, "Inclusive") : nullptr;
  if (text == nullptr) return std::nullopt;
  return std::string_view(text) == "1";
}

// Index of `key` in the order of first appearance.
template <class Key>
unsigned index_of(std::map<Key, unsigned>& indices, const Key& key) {
  return indices.try_emplace(key, static_cast<unsigned>(indices.size())).first->second;
}

}  // namespace

hwloc_reader::hwloc_reader() : alone_(reading) {
  if (hwloc_topology_init(&topology_) != 0) throw error("hwloc cannot be started: out of memory?");
  hwloc_topology_set_flags(topology_, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
}

hwloc_reader::~hwloc_reader() { hwloc_topology_destroy(topology_); }

bool hwloc_reader::set_synthetic(const std::string& description) {
  return hwloc_topology_set_synthetic(topology_, description.c_str()) == 0;
}

bool hwloc_reader::set_xml(const std::string& path) { return hwloc_topology_set_xml(topology_, path.c_str()) == 0; }

bool hwloc_reader::load() {
  if (hwloc_topology_load(topology_) != 0) return false;
  if (hwloc_topology_is_thissystem(topology_) == 0) return true;
  for (const unsigned node : members(hwloc_topology_get_complete_nodeset(topology_))) {
    const auto cpus = read_text_file("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist");
    if (cpus && is_blank(*cpus)) without_cpus_.insert(node);
  }
  return true;
}

machine hwloc_reader::read() const {
  machine found;
  read_nodes(found);
  read_cores(found);
  read_core_types(found);
  read_cpus(found);
  for (machine::node& node : found.nodes) node.cpu_less = node.cores.empty();
  read_distances(found);
  read_speeds(found);
  const hwloc_obj_t package = hwloc_get_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, 0);
  const char* model = package != nullptr ? hwloc_obj_get_info_by_name(package, "CPUModel") : nullptr;
  if (model == nullptr) model = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology_), "CPUModel");
  found.name = model != nullptr ? model : "unknown processor";
  return found;
}

void hwloc_reader::read_nodes(machine& into) const {
  for (hwloc_obj_t object = nullptr;
       (object = hwloc_get_next_obj_by_type(topology_, HWLOC_OBJ_NUMANODE, object)) != nullptr;) {
    machine::node node;
    node.os_index = object->os_index;
    node.capacity = object->attr->numanode.local_memory;
    node.kind = object->subtype != nullptr ? object->subtype : "";
    node.local_cpus = members(object->cpuset);
    into.nodes.push_back(std::move(node));
  }
  std::sort(into.nodes.begin(), into.nodes.end(),
            [](const machine::node& a, const machine::node& b) { return a.os_index < b.os_index; });
  for (unsigned i = 0; i < into.nodes.size(); ++i) into.nodes[i].index = i;
}

// The home of a core is the node with the fewest CPUs around it. If several nodes have the same CPUs, it is the one to
// which the operating system assigns them. If that is unknown, as in a description, ordinary memory comes before
// special kinds, and then the lowest number, because Linux numbers nodes with CPUs first.
unsigned hwloc_reader::home_of(const machine& read_so_far, hwloc_const_cpuset_t cpus) const {
  using rank = std::tuple<bool, std::size_t, bool, unsigned>;
  rank best{true, std::numeric_limits<std::size_t>::max(), true, 0};
  unsigned home = 0;
  const unsigned some_cpu = static_cast<unsigned>(std::max(0, hwloc_bitmap_first(cpus)));
  for (const machine::node& node : read_so_far.nodes) {
    if (!std::binary_search(node.local_cpus.begin(), node.local_cpus.end(), some_cpu)) continue;
    const bool special = !node.kind.empty() && node.kind != "DRAM";
    const rank its{without_cpus_.contains(node.os_index), node.local_cpus.size(), special, node.os_index};
    if (its < best) {
      best = its;
      home = node.index;
    }
  }
  return home;
}

void hwloc_reader::read_cores(machine& into) const {
  const hwloc_obj_type_t core_type =
      hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  using group_key = std::tuple<unsigned, unsigned, unsigned>;  // level, hwloc's index of the cache or our node, package
  std::map<unsigned, unsigned> package_indices;
  std::map<group_key, unsigned> group_indices;

  for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology_, core_type, object)) != nullptr;) {
    machine::core core;
    core.index = static_cast<unsigned>(into.cores.size());
    core.os_cpus = members(object->cpuset);
    const hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, object);
    core.package = index_of(package_indices, package != nullptr ? package->logical_index : 0u);
    core.numa_node = home_of(into, object->cpuset);

    const hwloc_obj_t l1 = around_or_inside(topology_, object, HWLOC_OBJ_L1CACHE);
    const hwloc_obj_t l2 = around_or_inside(topology_, object, HWLOC_OBJ_L2CACHE);
    const hwloc_obj_t l3 = hwloc_get_ancestor_obj_by_type(topology_, HWLOC_OBJ_L3CACHE, object);
    const bool own_l2 = l2 != nullptr && cores_in(topology_, l2->cpuset) <= 1;
    const hwloc_obj_t own = own_l2 ? l2 : l1;
    const hwloc_obj_t shared = l3 != nullptr ? l3 : own_l2 ? nullptr : l2;
    core.private_cache = own != nullptr ? own->attr->cache.size : 0;
    core.shared_cache = shared != nullptr ? shared->attr->cache.size : 0;

    const unsigned level = shared == nullptr ? 0 : l3 != nullptr ? 3 : 2;
    core.l3_group = index_of(
        group_indices, group_key(level, shared != nullptr ? shared->logical_index : core.numa_node, core.package));
    if (core.package == into.packages.size()) into.packages.push_back({core.package, {}});
    if (core.l3_group == into.l3_groups.size()) {
      into.l3_groups.push_back({core.l3_group, core.package, level, core.shared_cache, {}, is_inclusive(shared)});
    }
    into.packages[core.package].cores.push_back(core.index);
    into.l3_groups[core.l3_group].cores.push_back(core.index);
    if (!into.nodes.empty()) into.nodes[core.numa_node].cores.push_back(core.index);
    into.cores.push_back(std::move(core));
  }
}

// hwloc has the kinds in the order of their speed if it knows that. Cores whose kind it does not know come first.
void hwloc_reader::read_core_types(machine& into) const {
  struct kind {
    std::string name;
    std::vector<unsigned> cpus;
  };
  std::vector<kind> kinds(1);
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> cpus(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  const int count = cpus != nullptr ? hwloc_cpukinds_get_nr(topology_, 0) : 0;
  for (int i = 0; i < count; ++i) {
    unsigned infos = 0;
    hwloc_info_s* info = nullptr;
    if (hwloc_cpukinds_get_info(topology_, static_cast<unsigned>(i), cpus.get(), nullptr, &infos, &info, 0) != 0) {
      continue;
    }
    kind& one = kinds.emplace_back("", members(cpus.get()));
    for (unsigned at = 0; at < infos; ++at) {
      if (std::string_view(info[at].name) == "CoreType") one.name = info[at].value;
    }
  }
  for (machine::core& core : into.cores) {
    for (unsigned i = 1; i < kinds.size() && !core.os_cpus.empty(); ++i) {
      if (std::binary_search(kinds[i].cpus.begin(), kinds[i].cpus.end(), core.os_cpus.front())) core.type = i;
    }
  }
  for (unsigned i = 0; i < kinds.size(); ++i) {
    machine::core_type type{static_cast<unsigned>(into.core_types.size()), kinds[i].name, {}};
    for (const machine::core& core : into.cores) {
      if (core.type == i) type.cores.push_back(core.index);
    }
    if (!type.cores.empty()) into.core_types.push_back(std::move(type));
  }
  for (const machine::core_type& type : into.core_types) {
    for (const unsigned core : type.cores) into.cores[core].type = type.index;
  }
}

void hwloc_reader::read_cpus(machine& into) const {
  const hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology_);
  const bool real = hwloc_topology_is_thissystem(topology_) != 0;
  std::set<unsigned> known;
  for (machine::core& core : into.cores) {
    for (const unsigned os_index : core.os_cpus) {
      const bool usable = !real || hwloc_bitmap_isset(allowed, os_index) != 0;
      into.cpus.push_back(
          {os_index, core.index, usable ? machine::cpu_state::usable : machine::cpu_state::not_in_cpuset});
      if (usable) core.usable_os_cpus.push_back(os_index);
      known.insert(os_index);
    }
  }
  for (const unsigned os_index : members(hwloc_topology_get_complete_cpuset(topology_))) {
    if (!known.contains(os_index)) into.cpus.push_back({os_index, std::nullopt, machine::cpu_state::offline});
  }
  std::sort(into.cpus.begin(), into.cpus.end(),
            [](const machine::cpu& a, const machine::cpu& b) { return a.os_index < b.os_index; });
}

void hwloc_reader::read_distances(machine& into) const {
  const std::size_t count = into.nodes.size();
  into.node_distances.assign(count * count, 20);
  for (const machine::node& a : into.nodes) {
    for (const machine::node& b : into.nodes) {
      if (a.index == b.index || (a.local_cpus == b.local_cpus && !a.local_cpus.empty())) {
        into.node_distances[a.index * count + b.index] = 10;
      }
    }
  }

  hwloc_distances_s* matrix = nullptr;
  unsigned matrices = 1;
  if (hwloc_distances_get_by_type(topology_, HWLOC_OBJ_NUMANODE, &matrices, &matrix, HWLOC_DISTANCES_KIND_MEANS_LATENCY,
                                  0) != 0 ||
      matrices == 0) {
    return;
  }
  const auto release = [this](hwloc_distances_s* m) { hwloc_distances_release(topology_, m); };
  const std::unique_ptr<hwloc_distances_s, decltype(release)> owner(matrix, release);
  const auto index_of_node = [&](hwloc_obj_t object) {
    return std::find_if(into.nodes.begin(), into.nodes.end(),
                        [&](const machine::node& n) { return n.os_index == object->os_index; })
        ->index;
  };
  for (unsigned i = 0; i < matrix->nbobjs; ++i) {
    for (unsigned j = 0; j < matrix->nbobjs; ++j) {
      if (matrix->objs[i] == nullptr || matrix->objs[j] == nullptr) continue;
      into.node_distances[index_of_node(matrix->objs[i]) * count + index_of_node(matrix->objs[j])] =
          matrix->values[i * matrix->nbobjs + j];
    }
  }
  into.distances_declared = true;

  std::set<std::uint64_t> remote;
  for (const machine::package& a : into.packages) {
    for (const machine::package& b : into.packages) {
      if (a.index == b.index) continue;
      std::set<unsigned> homes_a, homes_b;
      for (const unsigned core : a.cores) homes_a.insert(into.cores[core].numa_node);
      for (const unsigned core : b.cores) homes_b.insert(into.cores[core].numa_node);
      for (const unsigned x : homes_a) {
        for (const unsigned y : homes_b) remote.insert(std::max(into.node_distance(x, y), into.node_distance(y, x)));
      }
    }
  }
  into.remote_distances.assign(remote.begin(), remote.end());
}

void hwloc_reader::read_speeds(machine& into) const {
  // The value from the CPUs with the best one; the first attribute of the list that has a value counts.
  const auto best = [this](hwloc_obj_t node, std::initializer_list<hwloc_memattr_id_t> attributes, bool largest) {
    std::optional<double> found;
    for (const hwloc_memattr_id_t attribute : attributes) {
      unsigned count = 0;
      if (hwloc_memattr_get_initiators(topology_, attribute, node, 0, &count, nullptr, nullptr) != 0 || count == 0) {
        continue;
      }
      std::vector<hwloc_location> from(count);
      std::vector<hwloc_uint64_t> values(count);
      if (hwloc_memattr_get_initiators(topology_, attribute, node, 0, &count, from.data(), values.data()) != 0)
        continue;
      values.resize(std::min<std::size_t>(count, values.size()));
      if (values.empty()) continue;
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      found = static_cast<double>(largest ? *high : *low);
      break;
    }
    return found;
  };
  for (machine::node& node : into.nodes) {
    const hwloc_obj_t object = hwloc_get_numanode_obj_by_os_index(topology_, node.os_index);
    if (object == nullptr) continue;
    node.bandwidth = best(object, {HWLOC_MEMATTR_ID_BANDWIDTH, HWLOC_MEMATTR_ID_READ_BANDWIDTH}, true);
    node.latency = best(object, {HWLOC_MEMATTR_ID_LATENCY, HWLOC_MEMATTR_ID_READ_LATENCY}, false);
  }
}

}  // namespace jackdaw
