#include "sim/memory/routes.hpp"

#include <algorithm>
#include <deque>
#include <jackdaw/error.hpp>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>

namespace jackdaw::sim {
namespace {

double or_unlimited(double rate) { return rate > 0 ? rate : std::numeric_limits<double>::infinity(); }

}  // namespace

routes::routes(const machine_model& machine)
    : sockets_(machine.sockets),
      groups_(machine.groups()),
      nodes_(static_cast<unsigned>(machine.nodes.size())),
      ports_(machine.nodes),
      ramp_length_(machine.slow_start.length) {
  for (unsigned node = 0; node < nodes_; ++node) {
    const machine_model::side_cache& of = machine.nodes[node].cached;
    side_of_.push_back(of.size != 0 ? ports() : node);
    if (of.size != 0)
      ports_.push_back({.socket = machine.nodes[node].socket,
                        .capacity = of.size,
                        .bandwidth = of.bandwidth,
                        .latency = of.latency > 0 ? of.latency : machine.nodes[node].latency,
                        .rate = of.rate});
  }
  const std::uint64_t count = first_ramp() + (ramp_length_ != 0 ? 2 * std::uint64_t{ports()} * sockets_ : 0);
  if (count > std::numeric_limits<std::uint16_t>::max())
    throw error("machine '" + machine.name + "': " + std::to_string(count) +
                " routes between caches and memory nodes: expected at most 65535");
  for (unsigned port = 0; port < ports(); ++port)
    resources_.push_back({port < nodes_ ? resource::kind::node : resource::kind::side_cache, port,
                          or_unlimited(ports_[port].bandwidth)});
  for (unsigned link = 0; link < machine.links.size(); ++link)
    resources_.push_back({resource::kind::link, link, or_unlimited(machine.links[link].bandwidth)});
  for (unsigned group = 0; group < groups_; ++group)
    resources_.push_back({resource::kind::shared_cache, group, or_unlimited(machine.shared_cache_total)});

  const double written = machine.write_rate > 0 ? machine.write_rate / machine.local_rate : 1;
  const paths between = find_paths(machine);
  order_nodes(machine);
  for (unsigned group = 0; group < groups_; ++group)
    add(machine, between, {.what = route::kind::shared, .from = group, .to = group}, 1, machine.shared_cache.overlap);
  for (unsigned port = 0; port < ports(); ++port)
    for (unsigned socket = 0; socket < sockets_; ++socket)
      add(machine, between, {.what = route::kind::memory, .from = port, .to = socket});
  for (unsigned port = 0; port < ports(); ++port)
    for (unsigned socket = 0; socket < sockets_; ++socket)
      add(machine, between, {.what = route::kind::write_back, .from = socket, .to = port}, written);
  for (unsigned from = 0; from < groups_; ++from)
    for (unsigned to = 0; to < groups_; ++to)
      add(machine, between, {.what = route::kind::cache, .from = from, .to = to});
  if (ramp_length_ == 0) return;
  const machine_model::ramp& slow = machine.slow_start;
  for (const double rate : {slow.rate, slow.line_rate > 0 ? std::min(slow.line_rate, slow.rate) : slow.rate})
    for (unsigned port = 0; port < ports(); ++port)
      for (unsigned socket = 0; socket < sockets_; ++socket)
        add(machine, between, {.what = route::kind::memory, .from = port, .to = socket}, rate / machine.local_rate,
            slow.overlap);
}

routes::paths routes::find_paths(const machine_model& machine) {
  constexpr auto unknown = std::numeric_limits<unsigned>::max();
  const std::size_t size = std::size_t{sockets_} * sockets_;
  hops_.assign(size, unknown);
  std::vector<std::uint16_t> link(size, 0);
  for (unsigned at = 0; at < sockets_; ++at) hops_[at * sockets_ + at] = 0;
  // Between two sockets the link that is listed first counts; a machine file has no more than one.
  std::vector<std::vector<unsigned>> to(sockets_);  // by socket: where the links to it come from
  for (std::size_t i = machine.links.size(); i-- > 0;)
    link[machine.links[i].from * sockets_ + machine.links[i].to] = static_cast<std::uint16_t>(ports() + i);
  for (const machine_model::link& each : machine.links) to[each.to].push_back(each.from);
  for (unsigned target = 0; target < sockets_; ++target) {
    std::deque<unsigned> reached{target};
    while (!reached.empty()) {
      const unsigned at = reached.front();
      reached.pop_front();
      for (const unsigned before : to[at]) {
        if (hops_[before * sockets_ + target] != unknown) continue;
        hops_[before * sockets_ + target] = hops_[at * sockets_ + target] + 1;
        reached.push_back(before);
      }
    }
  }
  paths result(size);
  for (unsigned from = 0; from < sockets_; ++from)
    for (unsigned target = 0; target < sockets_; ++target) {
      if (hops_[from * sockets_ + target] == unknown)
        throw error("machine '" + machine.name + "': no links lead from socket " + std::to_string(from) +
                    " to socket " + std::to_string(target) + ": expected a connected machine");
      for (unsigned at = from; at != target;) {
        unsigned next = 0;
        while (link[at * sockets_ + next] == 0 || next == at ||
               hops_[next * sockets_ + target] + 1 != hops_[at * sockets_ + target])
          ++next;
        result[from * sockets_ + target].push_back(link[at * sockets_ + next]);
        at = next;
      }
    }
  return result;
}

void routes::order_nodes(const machine_model& machine) {
  nearest_.resize(std::size_t{sockets_} * nodes_);
  for (unsigned socket = 0; socket < sockets_; ++socket) {
    const auto first = nearest_.begin() + static_cast<std::ptrdiff_t>(std::size_t{socket} * nodes_);
    const auto key = [&](unsigned node) {
      return std::tuple(hops(socket, machine.nodes[node].socket), machine.nodes[node].kind, node);
    };
    std::iota(first, first + nodes_, 0U);
    std::sort(first, first + nodes_, [&](unsigned a, unsigned b) { return key(a) < key(b); });
  }
}

/// `pace` multiplies the rate that the machine file gives to one core for data that it reads. An `overlap` below 0 is
/// that of memory.
void routes::add(const machine_model& machine, const paths& between, route what, double pace, double overlap) {
  const auto shared = [&](unsigned group) {
    return static_cast<std::uint16_t>(ports() + machine.links.size() + group);
  };
  const auto pass = [&](unsigned port) {
    steps_.push_back(static_cast<std::uint16_t>(port));
    if (port < nodes_ && side_of_[port] != port) steps_.push_back(static_cast<std::uint16_t>(side_of_[port]));
  };
  what.first = static_cast<std::uint32_t>(steps_.size());
  unsigned from = what.from;
  unsigned to = what.to;
  switch (what.what) {
    case route::kind::memory:
      from = ports_[what.from].socket;
      pass(what.from);
      what.latency = ports_[what.from].latency;
      break;
    case route::kind::write_back:
      to = ports_[what.to].socket;
      if (what.to < nodes_ && side_of_[what.to] != what.to) from = to;
      pass(what.to);
      break;
    case route::kind::shared:
    case route::kind::cache:
      from = machine.socket_of_group(what.from);
      to = machine.socket_of_group(what.to);
      steps_.push_back(shared(what.from));
      what.latency = machine.shared_cache.latency;
      // Another group of the socket is reached as the socket's memory is.
      if (what.from != what.to && from == to && nodes_ > 0)
        what.latency = std::max(what.latency, machine.nodes[nearest(to).front()].latency);
      break;
  }
  for (const std::uint16_t link : between[from * sockets_ + to]) {
    steps_.push_back(link);
    if (what.what != route::kind::write_back) what.latency += machine.links[link - ports()].latency;
  }
  const bool near = what.what == route::kind::shared && machine.shared_cache.size > 0;
  // Finite, because rates are subtracted from each other.
  constexpr double fastest = 1e12;
  what.rate = from != to ? machine.remote_rate : near ? machine.shared_cache.rate : machine.local_rate;
  if (what.what == route::kind::memory && ports_[what.from].rate > 0) {
    const double own = ports_[what.from].rate;
    what.rate = from == to || what.rate <= 0 ? own : std::min(what.rate, own);
  }
  what.rate *= pace;
  if (what.rate <= 0 || what.rate > fastest) what.rate = fastest;
  what.overlap = overlap >= 0 ? overlap : machine.overlap;
  what.count = static_cast<std::uint32_t>(steps_.size()) - what.first;
  routes_.push_back(what);
}

}  // namespace jackdaw::sim
