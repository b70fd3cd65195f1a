#pragma once

#include <jackdaw/machine.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jackdaw {

/// The bandwidth of a memory node for its nearest CPUs together, in MiB/s.
struct measured_bandwidth {
  unsigned os_node = 0;
  double mib_per_s = 0;

  friend bool operator==(const measured_bandwidth&, const measured_bandwidth&) = default;
};

/// The file of the user's cache folder ($XDG_CACHE_HOME/jackdaw, else ~/.cache/jackdaw) that keeps the measured
/// bandwidths of this machine's nodes. Machines with other processors or nodes have other files, so that computers may
/// share a folder. Empty: neither variable is set.
std::string bandwidth_file(const machine& of);

/// The contents of such a file. `date` is for its readers.
std::string bandwidth_text(const std::vector<measured_bandwidth>& nodes, std::string_view date);
/// Throws error, which names `file` and the line, for anything that bandwidth_text does not write.
std::vector<measured_bandwidth> parse_bandwidths(std::string_view text, const std::string& file);

/// If the firmware does not declare the bandwidths of all nodes of `found`, takes those of all nodes from
/// bandwidth_file, if it exists. Throws like parse_bandwidths, and error if a node is missing.
void recall_bandwidths(machine& found);

}  // namespace jackdaw
