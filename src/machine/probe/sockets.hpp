#pragma once

#include <jackdaw/machine.hpp>

#include <string>
#include <vector>

#include "machine/model.hpp"

namespace jackdaw::probe {

/// One socket of the model: usable cores of one package that share a home node.
struct socket {
  /// Those of them that share a last-level cache.
  struct cache {
    unsigned l3_group = 0;
    std::vector<unsigned> os_cpus;  ///< one for each core
  };
  unsigned node = 0;  ///< index into machine::nodes
  unsigned package = 0;
  unsigned sharing_node = 1;      ///< sockets with the same home node, itself included
  unsigned sharing_cache = 1;     ///< sockets that have cores at this one's first last-level cache
  std::vector<unsigned> cores;    ///< indices into machine::cores
  std::vector<unsigned> os_cpus;  ///< one for each of them
  std::vector<cache> caches;
};

/// The sockets, in the order of the machine's nodes. Throws error if there is none.
std::vector<socket> sockets_of(const machine& found);

/// Records where a figure comes from, replacing an earlier note.
void put(machine_model& model, const std::string& key, machine_model::origin from, std::string note);

/// The model that measurements fill in, with a note for each figure.
struct report {
  machine_model& model;
  std::string date;

  /// The figure is now `value`, rounded to three digits, measured by `how`.
  void measured(const std::string& key, double& figure, double value, const std::string& how);
  /// The same for a figure that follows from others.
  void derived(const std::string& key, double& figure, double value, const std::string& how);
};

/// Rates, bandwidths and latencies of caches, nodes and links, in about `ns`.
void probe_memory(const machine& found, const std::vector<socket>& sockets, report& to, double ns);

/// What a leaf's accesses cost beside a stream of reads: written lines, the beginnings of runs, and how much of this
/// its computing hides. Follows probe_memory; in about `ns`.
void probe_leaves(const std::vector<socket>& sockets, report& to, double ns);

/// compute_rate and what the runtime's own work costs.
void probe_tasks(const std::vector<socket>& sockets, report& to);

}  // namespace jackdaw::probe
