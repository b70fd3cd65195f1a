#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/doctor/doctor.hpp"

namespace jackdaw::cli {
namespace {

using nlohmann::json;

template <class T>
json maybe(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json machine_json(const machine& m) {
  json packages = json::array(), groups = json::array(), types = json::array(), cores = json::array(),
       nodes = json::array(), cpus = json::array(), distances = json::array();
  for (const machine::package& p : m.packages) packages.push_back({{"index", p.index}, {"cores", p.cores}});
  for (const machine::l3_group& g : m.l3_groups) {
    groups.push_back(
        {{"index", g.index}, {"package", g.package}, {"level", g.level}, {"bytes", g.bytes}, {"cores", g.cores}});
  }
  for (const machine::core_type& t : m.core_types) {
    types.push_back({{"index", t.index}, {"name", t.name}, {"cores", t.cores}});
  }
  for (const machine::core& c : m.cores) {
    cores.push_back({{"index", c.index},
                     {"package", c.package},
                     {"node", c.numa_node},
                     {"l3_group", c.l3_group},
                     {"type", c.type},
                     {"os_cpus", c.os_cpus},
                     {"usable_os_cpus", c.usable_os_cpus},
                     {"private_cache_bytes", c.private_cache},
                     {"shared_cache_bytes", c.shared_cache}});
  }
  for (const machine::node& n : m.nodes) {
    nodes.push_back({{"index", n.index},
                     {"os_index", n.os_index},
                     {"capacity_bytes", n.capacity},
                     {"kind", n.kind},
                     {"cpu_less", n.cpu_less},
                     {"local_os_cpus", n.local_cpus},
                     {"cores", n.cores},
                     {"bandwidth_mib_per_s", maybe(n.bandwidth)},
                     {"latency_ns", maybe(n.latency)}});
    json row = json::array();
    for (const machine::node& to : m.nodes) row.push_back(m.node_distance(n.index, to.index));
    distances.push_back(std::move(row));
  }
  for (const machine::cpu& c : m.cpus) {
    cpus.push_back({{"os_index", c.os_index},
                    {"core", maybe(c.core)},
                    {"usable", c.state == machine::cpu_state::usable},
                    {"why", why(c.state)}});
  }
  return {{"name", m.name},
          {"source", m.source},
          {"bindable", m.bindable()},
          {"packages", packages},
          {"l3_groups", groups},
          {"core_types", types},
          {"cores", cores},
          {"nodes", nodes},
          {"cpus", cpus},
          {"distances", distances},
          {"distances_source", m.distances_declared ? "firmware" : "assumed"},
          {"cpu_quota", maybe(m.cpu_quota)},
          {"cpu_quota_source", m.cpu_quota_source}};
}

std::string_view name_of(system_check::verdict state) {
  switch (state) {
    case system_check::verdict::good:
      return "good";
    case system_check::verdict::notice:
      return "notice";
    case system_check::verdict::missing:
      return "missing";
  }
  return "";
}

json event_json(const std::string& name, const profile::event_code& code) {
  return {{"name", name}, {"type", code.type}, {"config", fmt::format("{:#x}", code.config)}};
}

json counters_json(const profile::counter_survey& counters) {
  json told = {{"available", !counters.failure},
               {"pmu", nullptr},
               {"cache", nullptr},
               {"miss_events", json::array()},
               {"local_memory_event", nullptr},
               {"remote_memory_event", nullptr},
               {"because", counters.failure ? counters.failure->what : ""},
               {"fix", counters.failure ? counters.failure->fix : ""}};
  if (!counters.events) return told;
  told["pmu"] = counters.events->pmu;
  told["cache"] = counters.events->cache;
  for (std::size_t i = 0; i < counters.events->misses.size(); ++i) {
    told["miss_events"].push_back(event_json(counters.events->miss_names[i], counters.events->misses[i]));
  }
  if (const auto& memory = counters.events->memory) {
    told["local_memory_event"] = event_json(memory->local_name, memory->local);
    told["remote_memory_event"] = event_json(memory->remote_name, memory->remote);
  }
  return told;
}

}  // namespace

void print_json(const diagnosis& all) {
  json places = json::array(), checks = json::array();
  for (std::size_t i = 0; i < all.places.size(); ++i) {
    const worker_place& p = all.places[i];
    places.push_back({{"worker", i},
                      {"os_cpu", maybe(p.os_cpu)},
                      {"core", p.core},
                      {"package", p.package},
                      {"node", p.numa_node},
                      {"l3_group", p.l3_group}});
  }
  for (const system_check& c : all.checks) {
    checks.push_back({{"name", c.name}, {"state", name_of(c.state)}, {"found", c.found}, {"fix", c.fix}});
  }
  const json everything = {{"version", JACKDAW_VERSION},
                           {"machine", machine_json(all.found)},
                           {"workers",
                            {{"count", all.places.size()},
                             {"because", all.workers_from},
                             {"scheduler", all.scheduler},
                             {"pinned", all.pinned},
                             {"pinned_to_l3", all.stay_in_l3},
                             {"not_pinned_because", all.not_pinned_because},
                             {"places", places}}},
                           {"counters", counters_json(all.counters)},
                           {"system", checks}};
  fmt::print("{}\n", everything.dump(2, ' ', false, json::error_handler_t::replace));
}

}  // namespace jackdaw::cli
