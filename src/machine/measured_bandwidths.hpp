#pragma once

#include <jackdaw/machine.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jackdaw {

/// What a memory node gives its nearest CPUs together, in MiB/s.
struct measured_bandwidth {
  unsigned os_node = 0;
  double mib_per_s = 0;

  friend bool operator==(const measured_bandwidth&, const measured_bandwidth&) = default;
};

/// The file of the user's cache folder ($XDG_CACHE_HOME/jackdaw, else ~/.cache/jackdaw) where the bandwidths of this
/// machine's nodes are kept once they have been measured. Machines with other processors or other nodes have other
/// files, so that computers may share a folder. Empty: there is neither variable.
std::string bandwidth_file(const machine& of);

/// What is in such a file. `date` is told to who reads it.
std::string bandwidth_text(const std::vector<measured_bandwidth>& nodes, std::string_view date);
/// Throws error, which names `file` and the line, for anything that bandwidth_text does not write.
std::vector<measured_bandwidth> parse_bandwidths(std::string_view text, const std::string& file);

/// Where the firmware does not declare the bandwidths of all nodes of `found`, takes those of all nodes from
/// bandwidth_file, if that is there. Throws as parse_bandwidths does, and error where a node is missing.
void recall_bandwidths(machine& found);

}  // namespace jackdaw
