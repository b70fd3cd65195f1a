#include "cli/machine_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vector>

#include "machine/machine_file.hpp"
#include "sim/memory/routes.hpp"

namespace jackdaw::cli {

using nlohmann::json;

void print_machine_json(const machine_model& model) {
  const sim::routes ways(model);
  json nodes = json::array();
  for (unsigned node = 0; node < model.nodes.size(); ++node) {
    const machine_model::memory_node& each = model.nodes[node];
    std::vector<double> latencies, rates;
    for (unsigned socket = 0; socket < model.sockets; ++socket) {
      const sim::route& way = ways[ways.memory(node, socket)];
      latencies.push_back(way.latency);
      rates.push_back(way.rate);
    }
    nodes.push_back({{"socket", each.socket},
                     {"kind", name_of(each.kind)},
                     {"capacity", each.capacity},
                     {"bandwidth", each.bandwidth},
                     {"latency_ns", latencies},
                     {"core_rate", rates}});
  }
  json links = json::array();
  for (const machine_model::link& each : model.links) {
    links.push_back(
        {{"from", each.from}, {"to", each.to}, {"bandwidth", each.bandwidth}, {"latency_ns", each.latency}});
  }
  const machine_model::costs& cost = model.cost;
  const json all = {
      {"name", model.name},
      {"description", model.description},
      {"file", model.file},
      {"sockets", model.sockets},
      {"cores_per_socket", model.cores_per_socket},
      {"threads_per_core", model.threads_per_core},
      {"compute_rate", model.rate_of(false)},
      {"vector_rate", model.rate_of(true)},
      {"private_cache", model.private_cache.size},
      {"shared_cache", model.shared_cache.size},
      {"cores_of_shared_cache", model.group_size()},
      {"nodes", nodes},
      {"links", links},
      {"cost_ns", {{"steal_local", cost.steal_local}, {"steal_remote", cost.steal_remote}, {"spawn", cost.spawn}}},
  };
  fmt::print("{}\n", all.dump(2, ' ', false, json::error_handler_t::replace));
}

}  // namespace jackdaw::cli
