#pragma once

#include <jackdaw/placement_order.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The place of one worker on a machine.
///
/// `core`, `package`, `numa_node` and `l3_group` are indices into the vectors of the machine that placed the worker.
/// They are set for every worker, pinned or not.
struct worker_place {
  unsigned core = 0;               ///< Index into machine::cores.
  std::optional<unsigned> os_cpu;  ///< The CPU to pin to, by the operating system's number; empty: none.
  unsigned package = 0;            ///< Index into machine::packages.
  unsigned numa_node = 0;          ///< The core's home node: an index into machine::nodes, not the system's number.
  unsigned l3_group = 0;           ///< Index into machine::l3_groups.
  bool stays_in_l3 = false;        ///< Without os_cpu: whether it is pinned to all usable CPUs of its L3 group.

  /// Compares all members.
  bool operator==(const worker_place&) const = default;
};

/// A description of a computer: packages, caches, cores, CPUs and memory nodes.
///
/// A machine is a plain value that is read once. Indices count from 0 in the order of the hardware tree, so that the
/// cores of one package, NUMA domain or L3 have consecutive indices.
struct machine {
  /// Whether a CPU can run workers, and the reason if it cannot.
  enum class cpu_state {
    usable,           ///< The CPU can run workers.
    offline,          ///< The operating system has switched the CPU off.
    not_in_cpuset,    ///< The control group's cpuset excludes the CPU.
    not_in_affinity,  ///< The affinity mask excludes the CPU (taskset, numactl, a batch system).
  };

  /// One hardware thread (a PU in hwloc's terms).
  struct cpu {
    unsigned os_index = 0;                ///< The operating system's number.
    std::optional<unsigned> core;         ///< Index of its core; empty for a CPU that is offline.
    cpu_state state = cpu_state::usable;  ///< Whether it can run workers.
  };

  /// One physical core.
  struct core {
    unsigned index = 0;                    ///< Its own index in machine::cores.
    unsigned package = 0;                  ///< Index of its package.
    unsigned numa_node = 0;                ///< Index of its home node: the nearest node that has CPUs of its own.
    unsigned l3_group = 0;                 ///< Index of its L3 group.
    unsigned type = 0;                     ///< Index of its type.
    std::vector<unsigned> os_cpus;         ///< All its hardware threads, by the operating system's numbers.
    std::vector<unsigned> usable_os_cpus;  ///< Those of its hardware threads that can run workers, in the same order.
    /// The size in bytes of its own L2, or of its L1 if the L2 is shared or absent; 0: unknown.
    std::uint64_t private_cache = 0;
    std::uint64_t shared_cache = 0;  ///< The size in bytes of the cache that its l3_group shares; 0: unknown.
  };

  /// The cores that share one L3. On a machine without L3 they share an L2, or else a NUMA domain.
  struct l3_group {
    unsigned index = 0;           ///< Its own index in machine::l3_groups.
    unsigned package = 0;         ///< Index of its package.
    unsigned level = 0;           ///< The level of the shared cache, 3 or 2; 0: the group is a NUMA domain.
    std::uint64_t bytes = 0;      ///< The size in bytes of the shared cache; 0: there is none.
    std::vector<unsigned> cores;  ///< Indices of its cores, ascending.
    /// Whether the shared cache holds all that the cores' own caches hold; empty: unknown.
    std::optional<bool> inclusive = std::nullopt;
  };

  /// The cores of one kind, such as the efficient ones of a hybrid processor.
  struct core_type {
    unsigned index = 0;           ///< Its own index in machine::core_types.
    std::string name;             ///< What the system calls it, such as "IntelAtom"; empty: nothing.
    std::vector<unsigned> cores;  ///< Indices of its cores, ascending.
  };

  /// One processor package (a socket).
  struct package {
    unsigned index = 0;           ///< Its own index in machine::packages.
    std::vector<unsigned> cores;  ///< Indices of its cores, ascending.
  };

  /// One memory node. The nodes that are the home of a core are the machine's NUMA domains. The other nodes have no
  /// CPU.
  struct node {
    unsigned index = 0;                ///< Its own index in machine::nodes.
    unsigned os_index = 0;             ///< The operating system's number, which mbind and move_pages take.
    std::uint64_t capacity = 0;        ///< Bytes; 0: no memory, or the description does not give the capacity.
    std::string kind;                  ///< "DRAM", "HBM", "MCDRAM" or another name; empty: unknown.
    bool cpu_less = false;             ///< Whether it is the home of no core: memory-side DRAM, HBM, CXL.
    std::vector<unsigned> local_cpus;  ///< The CPUs nearest to it, those of other nodes included; the system's numbers.
    std::vector<unsigned> cores;       ///< Indices of the cores whose home it is, ascending.
    std::optional<double> bandwidth;   ///< MiB/s from its local CPUs: declared by the firmware, or else measured.
    std::optional<double> latency;     ///< Nanoseconds from its local CPUs, as declared by the firmware.
  };

  std::string name;                 ///< The processor's model, the synthetic description, or the XML file's path.
  std::string source;               ///< "this computer", "HWLOC_SYNTHETIC" or "HWLOC_XMLFILE".
  std::vector<package> packages;    ///< All packages.
  std::vector<l3_group> l3_groups;  ///< All L3 groups.
  std::vector<core> cores;          ///< All cores.
  /// The types of cores; of two the faster one comes later, where the system knows that. One type if all are alike.
  std::vector<core_type> core_types;
  std::vector<node> nodes;  ///< All memory nodes, ascending by os_index.
  std::vector<cpu> cpus;    ///< All CPUs, ascending by os_index.
  /// Whether the nodes' bandwidths were measured by `jackdaw machine bandwidths`, because the firmware does not declare
  /// all of them.
  bool bandwidths_measured = false;

  /// The distance from node i to node j, at index `i * nodes.size() + j`. Distances are relative: 10 is local (ACPI
  /// SLIT).
  std::vector<std::uint64_t> node_distances;
  /// Whether the firmware declares the distances. If not, the distance is 10 between nodes with the same CPUs and 20
  /// between all others.
  bool distances_declared = false;

  /// The distinct distances between the home nodes of cores in different packages, ascending. Of the two directions the
  /// larger one counts. Empty unless distances_declared.
  std::vector<std::uint64_t> remote_distances;

  /// The number of CPUs that the control groups' time quota amounts to, rounded up; empty without a quota. It limits
  /// the default number of workers, not where they may run.
  std::optional<unsigned> cpu_quota;
  std::string cpu_quota_source;  ///< The file that sets cpu_quota.

  bool is_this_computer = false;  ///< Whether it is the computer that the program runs on, and not a description.

  /// Returns this computer, or the machine that `$HWLOC_SYNTHETIC` or `$HWLOC_XMLFILE` describes in its place. As in
  /// hwloc, the first of the two takes precedence.
  ///
  /// A CPU is usable if it is in the control group's cpuset, and in the affinity mask of the calling thread or of the
  /// process's first thread.
  ///
  /// @throws error if a description, or this computer's topology, cannot be read.
  static machine detect();

  /// Returns the machine that an hwloc synthetic description describes. All its CPUs are usable.
  ///
  /// @param description For example `package:8 l3:1 core:4 pu:2`.
  /// @throws error if the description is not valid.
  static machine from_synthetic(const std::string& description);

  /// Returns the machine in an XML file that `lstopo --of xml` has written. All its CPUs are usable.
  ///
  /// @throws error if the file does not exist or is no topology.
  static machine from_xml(const std::string& path);

  /// Returns whether threads can be pinned to this machine, and memory bound on it.
  bool bindable() const noexcept { return is_this_computer; }

  /// Returns the number of cores with at least one usable CPU.
  unsigned usable_cores() const noexcept;
  /// Returns the number of usable CPUs.
  unsigned usable_cpus() const noexcept;

  /// Returns the indices of the nodes that are the home of a core, ascending.
  std::vector<unsigned> numa_domains() const;

  /// Returns the number of workers that a runtime starts by default: one for each usable core, at most cpu_quota and at
  /// least 1.
  unsigned default_workers() const noexcept;

  /// Returns the distance between two nodes; 10 is local.
  ///
  /// @param from Index of a node, less than `nodes.size()`.
  /// @param to Index of a node, less than `nodes.size()`.
  std::uint64_t node_distance(unsigned from, unsigned to) const;

  /// Returns a place for each of `workers` workers, in the order of the workers' numbers.
  ///
  /// Workers of one package, NUMA domain, L3 and core have consecutive numbers. Each worker first gets a core of its
  /// own, of the faster types if there are enough of them. If there are more workers than usable cores, they share
  /// cores as SMT siblings. If there are more workers than usable CPUs, no worker is pinned, but the workers are still
  /// spread evenly over the packages. No worker is pinned on a machine that is not bindable().
  ///
  /// @param workers The number of workers; 0 selects default_workers().
  /// @param order The order in which cores are taken if there are fewer workers than cores.
  std::vector<worker_place> place_workers(unsigned workers, placement_order order) const;

  /// Returns how far apart two workers are.
  ///
  /// @return 0: the same core; 1: the same L3 group; 2: the same NUMA domain; 3: the same package; 4 or more: different
  /// packages. If distances are declared, nearer packages have lower levels, from 4 on.
  unsigned distance(const worker_place& a, const worker_place& b) const;
};

/// Returns in a few words why a CPU in this state cannot run workers; "usable" if it can.
std::string_view why(machine::cpu_state state) noexcept;

}  // namespace jackdaw

JACKDAW_EXPORT_END
