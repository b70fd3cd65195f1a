#pragma once

#include <string>

#include "machine/model.hpp"
#include "machine/probe/numa_figures.hpp"

namespace jackdaw::cli {

/// What a machine file says of latencies and bandwidths: a way's latency is the node's and those of its links, its
/// bandwidth that of its narrowest part, or what all cores of the reading socket draw if that is less. Throws error if
/// a node cannot be reached.
probe::numa_figures numa_figures_of(const machine_model& model);

/// Whose figures are printed.
struct numa_source {
  std::string machine;  ///< its name
  std::string how;      ///< "measured", or where it is declared
  std::string row;      ///< what a row is of: a socket, or a NUMA domain
};

/// Prints the matrices of latencies and bandwidths, R_NUMA and notes, as text or as JSON.
void print_numa(const numa_source& of, const probe::numa_figures& figures, bool json);

}  // namespace jackdaw::cli
