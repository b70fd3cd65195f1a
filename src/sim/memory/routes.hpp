#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/model.hpp"

namespace jackdaw::sim {

/// Something that carries bytes at a limited rate.
struct resource {
  enum class kind : std::uint8_t {
    node,          ///< a memory node, both directions together
    side_cache,    ///< a node's memory-side cache, both directions together
    link,          ///< one direction between two sockets
    shared_cache,  ///< a group's, towards all readers together
  };
  kind what = kind::node;
  unsigned number = 0;  ///< of the node or port, of the link in machine_model::links, of the group
  double capacity = 0;  ///< bytes per ns; +inf if the machine file says 0
};

/// A way from where data lie to where they are needed.
struct route {
  enum class kind : std::uint8_t { shared, memory, cache, write_back };
  kind what = kind::shared;
  unsigned from = 0;   ///< of `shared` and `cache` the group, of `memory` the port, of `write_back` the socket
  unsigned to = 0;     ///< of `shared` and `cache` the group, of `memory` the socket, of `write_back` the port
  double rate = 0;     ///< of one core that has the route for itself, bytes per ns
  double latency = 0;  ///< ns before the first byte; 0 for a write-back, because no core waits for its arrival
  double overlap = 0;  ///< part of the time of its transfers that is hidden by computing
  std::uint32_t first = 0;
  std::uint32_t count = 0;  ///< its resources are [first, first + count) of routes::steps
};

/// Bytes that have to be moved along a route.
struct transfer {
  std::uint16_t route = 0;  ///< its number
  double bytes = 0;
  bool goes_on = false;  ///< the rest of a transfer that has waited for its latency already
};
using transfers = std::vector<transfer>;

/// Every route of a machine, by number. What memory data come from or go to is a **port**: the memory nodes, and after
/// them their memory-side caches. What comes from a node with such a cache passes the cache too, because the cache is
/// filled on the way; what is written back to such a node comes from its cache, not from a core. Between two sockets
/// data take the path with the fewest links; of several such paths, the one through the lowest-numbered sockets.
class routes {
 public:
  /// Throws error if a memory node cannot be reached from a socket, or there are more than 65535 routes.
  explicit routes(const machine_model& machine);

  /// A group's own shared cache, or a private cache in the same group.
  std::uint16_t shared(unsigned group) const noexcept { return static_cast<std::uint16_t>(group); }
  std::uint16_t memory(unsigned port, unsigned socket) const noexcept {
    return static_cast<std::uint16_t>(groups_ + port * sockets_ + socket);
  }
  std::uint16_t write_back(unsigned socket, unsigned port) const noexcept {
    return static_cast<std::uint16_t>(groups_ + ports() * sockets_ + port * sockets_ + socket);
  }
  /// Returns the port of a node's memory-side cache, or the node if it has none.
  unsigned side_of(unsigned node) const noexcept { return side_of_[node]; }
  /// memory(port, socket) for the bytes with which runs begin, at the rate of machine_model::slow_start. Requires
  /// ramp_length() > 0.
  std::uint16_t ramp(unsigned port, unsigned socket) const noexcept {
    return static_cast<std::uint16_t>(first_ramp() + port * sockets_ + socket);
  }
  /// The same for the first line of a run, at machine_model::ramp::line_rate.
  std::uint16_t first_line(unsigned port, unsigned socket) const noexcept {
    return static_cast<std::uint16_t>(ramp(port, socket) + ports() * sockets_);
  }
  /// Returns the number of bytes of each run from memory that go the way of first_line() or ramp().
  std::uint64_t ramp_length() const noexcept { return ramp_length_; }
  /// Returns the same way for later bytes of runs: ramp() for first_line(), memory() for ramp(), else the route itself.
  std::uint16_t later(std::uint16_t id) const noexcept {
    if (id < first_ramp()) return id;
    const std::size_t ways = std::size_t{ports()} * sockets_;
    return static_cast<std::uint16_t>(id < first_ramp() + ways ? id - first_ramp() + groups_ : id - ways);
  }
  /// Another group's caches; the groups `from` and `to` differ.
  std::uint16_t cache(unsigned from, unsigned to) const noexcept {
    return static_cast<std::uint16_t>(groups_ + 2 * ports() * sockets_ + from * groups_ + to);
  }

  std::size_t size() const noexcept { return routes_.size(); }
  const route& operator[](std::uint16_t id) const noexcept { return routes_[id]; }
  /// Returns the resources that a route's bytes pass, as indices into resources(). No resource occurs twice.
  std::span<const std::uint16_t> steps(std::uint16_t id) const noexcept {
    return {steps_.data() + routes_[id].first, routes_[id].count};
  }
  std::span<const resource> resources() const noexcept { return resources_; }

  unsigned sockets() const noexcept { return sockets_; }
  unsigned nodes() const noexcept { return nodes_; }
  /// Returns the number of links between two sockets.
  unsigned hops(unsigned from, unsigned to) const noexcept { return hops_[from * sockets_ + to]; }
  /// Returns all memory nodes, the nearest first: by the number of links between, then DRAM before HBM before CXL as
  /// operating systems fall back, then by number.
  std::span<const unsigned> nearest(unsigned socket) const noexcept {
    return {nearest_.data() + std::size_t{socket} * nodes_, nodes_};
  }

 private:
  using paths = std::vector<std::vector<std::uint16_t>>;  ///< by from, to: the links as resources

  paths find_paths(const machine_model& machine);
  void order_nodes(const machine_model& machine);
  void add(const machine_model& machine, const paths& between, route what, double pace = 1, double overlap = -1);

  std::size_t first_ramp() const noexcept {
    return groups_ + 2 * std::size_t{ports()} * sockets_ + std::size_t{groups_} * groups_;
  }
  unsigned ports() const noexcept { return static_cast<unsigned>(ports_.size()); }

  unsigned sockets_;
  unsigned groups_;
  unsigned nodes_;
  std::vector<machine_model::memory_node> ports_;
  std::vector<unsigned> side_of_;  ///< by node
  std::uint64_t ramp_length_;
  std::vector<unsigned> hops_;       ///< by from, to
  std::vector<unsigned> nearest_;    ///< by socket
  std::vector<resource> resources_;  ///< ports, links, shared caches
  std::vector<route> routes_;
  std::vector<std::uint16_t> steps_;
};

}  // namespace jackdaw::sim
