#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <map>

#include "machine/probe/machine_probe.hpp"
#include "machine/probe/sockets.hpp"

namespace jackdaw::probe {

std::vector<socket> sockets_of(const machine& found) {
  std::map<std::pair<unsigned, unsigned>, socket> all;
  for (const machine::core& core : found.cores) {
    if (core.usable_os_cpus.empty()) continue;
    socket& its = all[{core.numa_node, core.package}];
    its.node = core.numa_node;
    its.package = core.package;
    its.cores.push_back(core.index);
    its.os_cpus.push_back(core.usable_os_cpus.front());
    const auto known = std::find_if(its.caches.begin(), its.caches.end(),
                                    [&](const socket::cache& each) { return each.l3_group == core.l3_group; });
    socket::cache& shared =
        known != its.caches.end() ? *known : its.caches.emplace_back(socket::cache{core.l3_group, {}});
    shared.os_cpus.push_back(core.usable_os_cpus.front());
  }
  std::vector<socket> list;
  list.reserve(all.size());
  for (auto& [key, socket] : all) list.push_back(std::move(socket));
  if (list.empty()) throw error("this computer: no usable core, expected at least one (see jackdaw doctor)");
  const auto has = [](const socket& one, unsigned l3_group) {
    return std::any_of(one.caches.begin(), one.caches.end(),
                       [&](const socket::cache& each) { return each.l3_group == l3_group; });
  };
  for (socket& one : list) {
    one.sharing_node = static_cast<unsigned>(
        std::count_if(list.begin(), list.end(), [&](const socket& other) { return other.node == one.node; }));
    one.sharing_cache = static_cast<unsigned>(std::count_if(
        list.begin(), list.end(), [&](const socket& other) { return has(other, one.caches.front().l3_group); }));
  }
  return list;
}

void put(machine_model& model, const std::string& key, machine_model::origin from, std::string note) {
  const auto known = std::find_if(model.origins.begin(), model.origins.end(),
                                  [&](const machine_model::provenance& origin) { return origin.key == key; });
  machine_model::provenance origin{key, from, std::move(note), "", 0, {}};
  if (known != model.origins.end()) {
    *known = std::move(origin);
  } else {
    model.origins.push_back(std::move(origin));
  }
}

namespace {

using origin = machine_model::origin;

constexpr const char* by_hwloc = "the operating system, by hwloc";
constexpr const char* server = "a server of today";

machine_model::memory_kind kind_of(const machine::node& node) {
  if (node.kind == "HBM" || node.kind == "MCDRAM") return machine_model::memory_kind::hbm;
  // Memory without processors that is not called HBM lies behind a link.
  return node.cpu_less ? machine_model::memory_kind::cxl : machine_model::memory_kind::dram;
}

void outline_nodes(const machine& found, const std::vector<socket>& sockets, machine_model& model) {
  const auto add = [&](const machine::node& from, unsigned socket, unsigned parts) {
    machine_model::memory_node node;
    node.socket = socket;
    node.kind = kind_of(from);
    const std::uint64_t capacity = from.capacity != 0 ? from.capacity : std::uint64_t{16} << 30;
    node.capacity = std::max<std::uint64_t>(1, capacity / parts);
    node.bandwidth = node.kind == machine_model::memory_kind::cxl ? 25 : 60;
    node.latency = node.kind == machine_model::memory_kind::cxl ? 250 : 100;
    const auto key = [&](const char* figure) { return fmt::format("node.{}.{}", model.nodes.size(), figure); };
    const std::string part = parts > 1 ? fmt::format("1/{} of node {}, shared by sockets", parts, from.os_index) : "";
    put(model, key("capacity"), from.capacity != 0 ? origin::measured : origin::assumed,
        from.capacity == 0 ? "not known" : (part.empty() ? by_hwloc : part));
    put(model, key("bandwidth"), origin::assumed, server);
    put(model, key("latency"), origin::assumed, server);
    if (from.bandwidth) {
      node.bandwidth = *from.bandwidth * 1048576 / 1e9 / parts;
      put(model, key("bandwidth"), origin::datasheet, "declared by the firmware");
    }
    if (from.latency) {
      node.latency = *from.latency;
      put(model, key("latency"), origin::datasheet, "declared by the firmware");
    }
    model.nodes.push_back(node);
  };
  for (unsigned i = 0; i < sockets.size(); ++i) add(found.nodes[sockets[i].node], i, sockets[i].sharing_node);
  for (const machine::node& node : found.nodes) {
    if (!node.cpu_less || node.capacity == 0) continue;
    const auto near = std::find_if(sockets.begin(), sockets.end(), [&](const socket& socket) {
      return std::find(node.local_cpus.begin(), node.local_cpus.end(), socket.os_cpus.front()) != node.local_cpus.end();
    });
    add(node, near != sockets.end() ? static_cast<unsigned>(near - sockets.begin()) : 0, 1);
  }
}

void outline_links(const std::vector<socket>& sockets, machine_model& model) {
  for (unsigned a = 0; a < sockets.size(); ++a) {
    for (unsigned b = a + 1; b < sockets.size(); ++b) {
      const bool same_node = sockets[a].node == sockets[b].node;
      const bool same_package = sockets[a].package == sockets[b].package;
      const double bandwidth = same_package ? 60 : 30;
      const double latency = same_node ? 0 : (same_package ? 15 : 80);
      for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
        model.links.push_back({from, to, bandwidth, latency});
        const auto key = [&, f = from, t = to](const char* figure) {
          return fmt::format("link.{}-{}.{}", f, t, figure);
        };
        const char* const note = same_node ? "one memory node for both: the way is part of its own figures" : server;
        put(model, key("bandwidth"), origin::assumed, note);
        put(model, key("latency"), origin::assumed, note);
      }
    }
  }
}

void outline_fill(const machine& found, const machine::l3_group& group, machine_model& model) {
  using fill = machine_model::fill_policy;
  if (group.inclusive.value_or(false)) {
    model.fill = fill::inclusive;
    return put(model, "shared_cache.policy", origin::measured, by_hwloc);
  }
  const bool amd = found.name.find("AMD") != std::string::npos;
  model.fill = amd ? fill::exclusive : fill::victim;
  put(model, "shared_cache.policy", origin::assumed,
      fmt::format("{}; {}", group.inclusive ? "not inclusive, by hwloc" : "not known to hwloc",
                  amd ? "as AMD's caches since 2007" : "as Intel's servers since Skylake"));
}

void outline_caches(const machine& found, const std::vector<socket>& sockets, machine_model& model) {
  const machine::core& core = found.cores[sockets.front().cores.front()];
  if (core.private_cache != 0) {
    model.private_cache = {core.private_cache, 60, 5};
    put(model, "private_cache.size", origin::measured, by_hwloc);
    put(model, "private_cache.rate", origin::assumed, server);
    put(model, "private_cache.latency", origin::assumed, server);
  }
  if (core.shared_cache != 0) {
    model.shared_cache = {core.shared_cache / sockets.front().sharing_cache, 20, 25};
    model.shared_cache_total = 15.0 * model.group_size();
    put(model, "shared_cache.size", origin::measured,
        sockets.front().sharing_cache == 1
            ? by_hwloc
            : fmt::format("1/{} of a cache over several memory nodes, by hwloc", sockets.front().sharing_cache));
    put(model, "shared_cache.rate", origin::assumed, server);
    put(model, "shared_cache.total_rate", origin::assumed, server);
    put(model, "shared_cache.latency", origin::assumed, server);
    outline_fill(found, found.l3_groups.at(core.l3_group), model);
  }
}

/// All sockets and caches of a model are alike, so each has as many cores as the largest.
void outline_cores(const std::vector<socket>& sockets, machine_model& model) {
  std::size_t caches = 0, most = 0;
  for (const socket& each : sockets) {
    caches = std::max(caches, each.caches.size());
    for (const socket::cache& shared : each.caches) most = std::max(most, shared.os_cpus.size());
  }
  const bool alike = std::all_of(sockets.begin(), sockets.end(), [&](const socket& each) {
    return each.caches.size() == caches && each.cores.size() == caches * most;
  });
  const auto count = [&](const char* key, unsigned& figure, std::size_t value) {
    figure = static_cast<unsigned>(value);
    put(model, key, alike ? origin::measured : origin::assumed,
        alike ? "usable cores, by hwloc" : "as many for each as the largest last-level cache has usable cores");
  };
  put(model, "sockets", origin::measured, "sets of usable cores of one package and memory node, by hwloc");
  count("cores_per_socket", model.cores_per_socket, caches * most);
  if (caches > 1) count("shared_cache.cores", model.shared_cache_cores, most);
}

}  // namespace

machine_model outline_machine(const machine& found) {
  const std::vector<socket> sockets = sockets_of(found);
  machine_model model;
  model.name = "here";
  model.description = found.name.empty() ? "this computer" : found.name;
  std::replace(model.description.begin(), model.description.end(), '\n', ' ');
  model.sockets = static_cast<unsigned>(sockets.size());
  outline_cores(sockets, model);

  const auto assume = [&](const char* key, double& figure, double value, const char* note) {
    figure = value;
    put(model, key, origin::assumed, note);
  };
  assume("compute_rate", model.compute_rate, 1, server);
  assume("overlap", model.overlap, 0.7, "out-of-order core with stream prefetchers hides most, not all");
  put(model, "block", origin::assumed, "8 cache lines: the simulation's grain");
  put(model, "page", origin::datasheet, "the base page of most systems");
  assume("local_rate", model.local_rate, 12, server);
  assume("remote_rate", model.remote_rate, model.sockets > 1 ? 8 : 12,
         model.sockets > 1 ? server : "one socket: nothing is remote; the local rate");
  outline_caches(found, sockets, model);

  assume("cost.spawn", model.cost.spawn, 5, "jackdaw on the reference core");
  assume("cost.join", model.cost.join, 3, "jackdaw on the reference core");
  assume("cost.place", model.cost.place, 300, "100 ns of work, and 2 line transfers between sockets");
  assume("cost.suspend", model.cost.suspend, 40, "jackdaw on the reference core");
  assume("cost.steal_local", model.cost.steal_local, 200, "4 line transfers of 50 ns within a socket");
  assume("cost.steal_remote", model.cost.steal_remote, 500, "4 line transfers of 125 ns between sockets");
  assume("cost.look_local", model.cost.look_local, 50, "1 line transfer within a socket");
  assume("cost.look_remote", model.cost.look_remote, 125, "1 line transfer between sockets");
  assume("cost.wake", model.cost.wake, 5000, "futex wake-up of a thread on an idle core");
  outline_nodes(found, sockets, model);
  outline_links(sockets, model);
  return model;
}

}  // namespace jackdaw::probe
