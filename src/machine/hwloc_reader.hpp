#pragma once

#include <jackdaw/machine.hpp>

#include <hwloc.h>

#include <mutex>
#include <set>
#include <string>

namespace jackdaw {

/// Turns an hwloc topology into a machine. Use: optionally one set_ call, then load, then read. There is one at a time:
/// a thread that makes another one waits, and so does a fork().
class hwloc_reader {
 public:
  hwloc_reader();
  ~hwloc_reader();
  hwloc_reader(const hwloc_reader&) = delete;
  hwloc_reader& operator=(const hwloc_reader&) = delete;

  /// Take the machine from a description instead of from this computer; false if hwloc refuses the description.
  bool set_synthetic(const std::string& description);
  bool set_xml(const std::string& path);

  /// Reads the topology; false when hwloc cannot.
  bool load();

  /// The machine without affinity and quota, which only the operating system knows.
  machine read() const;

 private:
  void read_nodes(machine& into) const;
  void read_cores(machine& into) const;
  void read_core_types(machine& into) const;
  void read_cpus(machine& into) const;
  void read_distances(machine& into) const;
  void read_speeds(machine& into) const;
  unsigned home_of(const machine& read_so_far, hwloc_const_cpuset_t cpus) const;

  const std::lock_guard<std::mutex> alone_;  // first, because the topology ends before it does
  hwloc_topology_t topology_ = nullptr;
  std::set<unsigned> without_cpus_;  // OS numbers of this computer's nodes that Linux says have no CPU
};

}  // namespace jackdaw
