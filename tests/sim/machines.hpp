#pragma once

#include <cstdint>

#include "machine/model.hpp"

namespace jackdaw::sim {

/// `sockets` sockets, each with a DRAM node of its own number and a link to every other.
inline machine_model small_machine(unsigned sockets = 2, unsigned cores_per_socket = 4) {
  machine_model m;
  m.name = "small";
  m.sockets = sockets;
  m.cores_per_socket = cores_per_socket;
  m.block = 512;
  m.page = 4096;
  m.private_cache = {.size = 64 << 10, .rate = 50, .latency = 4};
  m.shared_cache = {.size = 256 << 10, .rate = 16, .latency = 20};
  m.shared_cache_total = 48;
  m.local_rate = 10;
  m.remote_rate = 6;
  for (unsigned socket = 0; socket < sockets; ++socket)
    m.nodes.push_back({.socket = socket, .capacity = std::uint64_t{1} << 30, .bandwidth = 32, .latency = 100});
  for (unsigned from = 0; from < sockets; ++from)
    for (unsigned to = 0; to < sockets; ++to)
      if (from != to) m.links.push_back({.from = from, .to = to, .bandwidth = 8, .latency = 50});
  return m;
}

/// A ring of four sockets, each linked to the next and the one before.
inline machine_model ring() {
  machine_model m = small_machine(4);
  std::erase_if(m.links, [](const machine_model::link& of) { return (of.from + 2) % 4 == of.to; });
  return m;
}

}  // namespace jackdaw::sim
