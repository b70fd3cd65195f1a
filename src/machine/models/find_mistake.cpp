#include <fmt/format.h>

#include <bit>
#include <set>

#include "machine/machine_file.hpp"
#include "machine/models/figure.hpp"

namespace jackdaw::models {
namespace {

// The sockets that can be reached from socket 0 over links followed forwards, or backwards.
std::vector<bool> reached(const machine_model& model, bool forwards) {
  std::vector<bool> seen(model.sockets, false);
  std::vector<unsigned> open = {0};
  seen[0] = true;
  while (!open.empty()) {
    const unsigned at = open.back();
    open.pop_back();
    for (const machine_model::link& link : model.links) {
      const unsigned begin = forwards ? link.from : link.to;
      const unsigned end = forwards ? link.to : link.from;
      if (begin != at || seen[end]) continue;
      seen[end] = true;
      open.push_back(end);
    }
  }
  return seen;
}

std::optional<mistake> check_links(const machine_model& model) {
  const unsigned last = model.sockets - 1;
  std::set<std::pair<unsigned, unsigned>> known;
  for (const machine_model::link& link : model.links) {
    const auto wrong = [&](std::string what) { return mistake{link_key(link, "bandwidth"), std::move(what)}; };
    for (const unsigned end : {link.from, link.to}) {
      if (end > last) return wrong(fmt::format("link to socket {}, expected sockets from 0 to {}", end, last));
    }
    if (link.from == link.to) {
      return wrong(fmt::format("link from socket {} to itself, expected two sockets", link.from));
    }
    if (!known.insert({link.from, link.to}).second) {
      return wrong(fmt::format("a second link from socket {} to socket {}, expected one", link.from, link.to));
    }
  }
  for (const bool forwards : {true, false}) {
    const std::vector<bool> seen = reached(model, forwards);
    for (unsigned i = 0; i < model.sockets; ++i) {
      if (seen[i]) continue;
      return mistake{model.links.empty() ? "sockets" : "link",
                     fmt::format("sockets {} and {} are not connected, expected links between all, directly or not",
                                 forwards ? 0 : i, forwards ? i : 0)};
    }
  }
  return std::nullopt;
}

std::optional<mistake> check_side_cache(const machine_model& model, std::size_t node) {
  const machine_model::side_cache& of = model.nodes[node].cached;
  if (of.size != 0) {
    if (of.size < model.page) {
      return mistake{node_key(node, "cache_size"),
                     fmt::format("{} bytes, expected at least a page of {}", of.size, model.page)};
    }
    if (!(of.bandwidth > 0)) {
      return mistake{node_key(node, "cache_size"), "a memory-side cache without 'cache_bandwidth', expected both"};
    }
    return std::nullopt;
  }
  for (const auto& [key, value] : {std::pair("cache_bandwidth", of.bandwidth), std::pair("cache_latency", of.latency),
                                   std::pair("cache_rate", of.rate)}) {
    if (value > 0) return mistake{node_key(node, key), "a memory-side cache without 'cache_size', expected both"};
  }
  return std::nullopt;
}

std::optional<mistake> check_nodes(const machine_model& model) {
  if (model.nodes.empty()) return mistake{"node", "no memory node, expected at least one [[node]]"};
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    if (auto wrong = check_side_cache(model, i)) return wrong;
    if (model.nodes[i].socket < model.sockets) continue;
    return mistake{node_key(i, "capacity"), fmt::format("node on socket {}, expected a socket from 0 to {}",
                                                        model.nodes[i].socket, model.sockets - 1)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<mistake> find_mistake(const machine_model& model) {
  const std::uint64_t cores = std::uint64_t{model.sockets} * model.cores_per_socket;
  if (cores < 1 || cores > 4096) {
    return mistake{"cores_per_socket", fmt::format("{} cores in all, expected 1 to 4096", cores)};
  }
  if (!std::has_single_bit(model.block)) {
    return mistake{"block", fmt::format("{} bytes, expected a power of two", model.block)};
  }
  if (!std::has_single_bit(model.page)) {
    return mistake{"page", fmt::format("{} bytes, expected a power of two", model.page)};
  }
  if (model.block > model.page) {
    return mistake{"block", fmt::format("{} bytes, expected at most a page of {}", model.block, model.page)};
  }
  if (model.threads() > 4096) {
    return mistake{"threads_per_core", fmt::format("{} threads in all, expected at most 4096", model.threads())};
  }
  if (model.smt_rate > model.threads_per_core) {
    return mistake{"smt_rate", fmt::format("{:g}, expected at most the {} of threads_per_core", model.smt_rate,
                                           model.threads_per_core)};
  }
  // Either all figures of a cache are given or none.
  for (const auto& [name, cache] :
       {std::pair("private_cache", &model.private_cache), std::pair("shared_cache", &model.shared_cache)}) {
    if (cache->size != 0 && !(cache->rate > 0))
      return mistake{std::string(name) + ".rate", "not given, expected a rate because the cache has a size"};
    if (cache->size != 0 && cache->size < model.block)
      return mistake{std::string(name) + ".size",
                     fmt::format("{} bytes, expected at least a block of {}", cache->size, model.block)};
  }
  const bool apart = model.fill == machine_model::fill_policy::exclusive;
  if (model.shared_cache.size != 0 && model.shared_cache.size < model.private_cache.size && !apart) {
    return mistake{"shared_cache.size",
                   fmt::format("{} bytes, expected at least the {} of a private cache, whose data it keeps too",
                               model.shared_cache.size, model.private_cache.size)};
  }
  if (model.slow_start.length != 0 && !(model.slow_start.rate > 0)) {
    return mistake{"ramp.length", "a ramp without 'rate', expected both"};
  }
  if (model.slow_start.length == 0 && model.slow_start.rate > 0) {
    return mistake{"ramp.rate", "a ramp without 'length', expected both"};
  }
  for (const auto& [key, given] : {std::pair("ramp.overlap", model.slow_start.overlap >= 0),
                                   std::pair("ramp.line_rate", model.slow_start.line_rate > 0)}) {
    if (model.slow_start.length != 0 || !given) continue;
    return mistake{key, "a ramp without 'length' and 'rate', expected both"};
  }
  if (model.slow_start.rate > model.local_rate) {
    return mistake{"ramp.rate", fmt::format("{:g} GB/s, expected at most the local_rate of {:g}", model.slow_start.rate,
                                            model.local_rate)};
  }
  if (model.cores_per_socket % model.group_size() != 0) {
    return mistake{"shared_cache.cores", fmt::format("{} cores, expected a divisor of a socket's {}",
                                                     model.shared_cache_cores, model.cores_per_socket)};
  }
  if (auto wrong = check_nodes(model)) return wrong;
  return check_links(model);
}

}  // namespace jackdaw::models
