#pragma once

#include <cstdint>

namespace jackdaw::sched {

/// How memory nodes follow one another along the data where some have more bandwidth than others of the same socket.
enum class node_order : std::uint8_t {
  apart,     ///< the slower nodes of all sockets, then the faster ones: all DRAM, then all HBM
  adjacent,  ///< socket by socket, each with its slower node before its faster one
};

/// What a user may tell a scheduler of the program; 0: nothing.
struct settings {
  std::uint64_t data = 0;                   ///< bytes that an iteration works on (CAB's Sd)
  unsigned branching = 0;                   ///< children that a task forks (CAB's B)
  node_order order = node_order::adjacent;  ///< of memory nodes (BATS)
};

}  // namespace jackdaw::sched
