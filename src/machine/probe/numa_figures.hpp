#pragma once

#include <jackdaw/machine.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace jackdaw::probe {

/// How far memory is from cores: Table I of the paper on prediction, with bandwidths.
struct numa_figures {
  /// What one socket's cores see.
  struct reader {
    unsigned number = 0;                   ///< of the socket in a machine file; of its own node on this computer
    std::optional<std::size_t> home;       ///< index into `nodes` of its own memory; empty: it has none
    std::vector<double> latency;           ///< ns of one access, by node; 0: not known
    std::vector<double> bandwidth;         ///< bytes per ns (GB/s) to all of its cores together, by node; 0: not known
    std::vector<std::size_t> remote = {};  ///< indices into `nodes`: the homes of other sockets

    /// Remote over local latency; empty if nothing is remote, or one of them is not known.
    std::optional<double> ratio() const;
  };

  std::vector<unsigned> nodes;     ///< by the system's numbers, or as in the machine file
  std::vector<reader> readers;     ///< rows of the table
  std::vector<std::string> notes;  ///< one line each: what could not be measured, and why

  /// R_NUMA (Eq. 1): the mean over the readers of how many times as long a remote access takes as a local one, as the
  /// paper takes it from its Table I. A reader with several remote nodes counts with their mean latency. Memory without
  /// cores of its own (HBM, CXL) does not count. 1 if nothing is remote.
  double ratio() const;
  /// Why ratio() is 1 without a measurement; empty if it was measured.
  std::string no_ratio() const;
};

/// Measures this computer, from one core of each memory node that has usable ones, and bandwidths with all of them;
/// about a second for each pair of nodes. Throws error unless `found` is this computer, and if no core is usable;
/// std::bad_alloc if there is too little memory.
numa_figures measure_numa(const machine& found);

}  // namespace jackdaw::probe
