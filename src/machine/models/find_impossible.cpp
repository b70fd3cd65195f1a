#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "machine/models/figure.hpp"

namespace jackdaw::models {
namespace {

/// `key` may not be above a bound, and `unit` is that of both.
struct rule {
  std::string key;
  double value = 0;
  std::string_view unit;
  double bound = 0;
  std::string bound_name;  ///< "total_rate"
};

std::vector<rule> rules_of(const machine_model& of) {
  std::vector<rule> rules;
  double fastest = 0;
  for (std::size_t i = 0; i < of.nodes.size(); ++i) {
    const machine_model::memory_node& node = of.nodes[i];
    fastest = std::max({fastest, node.bandwidth, node.cached.bandwidth});
    rules.push_back({node_key(i, "rate"), node.rate, "GB/s", node.bandwidth, "the node's bandwidth"});
    if (node.cached.size == 0) continue;
    rules.push_back({node_key(i, "cache_rate"), node.cached.rate, "GB/s", node.cached.bandwidth, "cache_bandwidth"});
    rules.push_back({node_key(i, "cache_size"), static_cast<double>(node.cached.size), "bytes",
                     static_cast<double>(node.capacity), "the node's capacity"});
    rules.push_back({node_key(i, "bandwidth"), node.bandwidth, "GB/s", node.cached.bandwidth,
                     "the bandwidth of the cache in front of the node"});
  }
  rules.push_back({"local_rate", of.local_rate, "GB/s", fastest, "the bandwidth of the fastest node"});
  rules.push_back({"write_rate", of.write_rate, "GB/s", fastest, "the bandwidth of the fastest node"});
  rules.push_back({"remote_rate", of.remote_rate, "GB/s", of.local_rate, "local_rate"});
  if (of.shared_cache.size != 0)
    rules.push_back({"shared_cache.rate", of.shared_cache.rate, "GB/s", of.shared_cache_total, "total_rate"});
  rules.push_back({"ramp.line_rate", of.slow_start.line_rate, "GB/s", of.slow_start.rate, "the ramp's rate"});
  rules.push_back({"cost.wake_call", of.cost.wake_call, "ns", of.cost.wake, "wake"});
  // Measured in another way than steals: 0.7 to 1.3 of one.
  rules.push_back({"cost.turn_local", of.cost.turn_local, "ns", 2 * of.cost.steal_local, "twice steal_local"});
  rules.push_back({"cost.turn_remote", of.cost.turn_remote, "ns", 2 * of.cost.steal_remote, "twice steal_remote"});
  return rules;
}

}  // namespace

std::optional<mistake> find_impossible(const machine_model& model) {
  for (const rule& each : rules_of(model)) {
    if (each.value <= each.bound) continue;
    const machine_model::provenance* const origin = find_origin(model, each.key);
    if (origin != nullptr && origin->from == machine_model::origin::measured) continue;
    return mistake{each.key, fmt::format("{} {}, expected at most {}, {} {}", number_text(each.value), each.unit,
                                         each.bound_name, number_text(each.bound), each.unit)};
  }
  return std::nullopt;
}

}  // namespace jackdaw::models
