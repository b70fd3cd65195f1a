#pragma once

#include <jackdaw/placement_order.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace jackdaw {

/// Where one worker goes. `package`, `numa_node`, `l3_group` and `core` are indices into the vectors of the machine
/// that placed it and are set for every worker, pinned or not.
struct worker_place {
  unsigned core = 0;
  std::optional<unsigned> os_cpu;  ///< the CPU to pin to, as the operating system numbers it; none: not pinned
  unsigned package = 0;
  unsigned numa_node = 0;  ///< the core's home node, an index into machine::nodes (not the OS's number of it)
  unsigned l3_group = 0;

  bool operator==(const worker_place&) const = default;
};

/// What a computer looks like to a scheduler: a plain value, read once. Indices count from 0 in the order of the
/// hardware tree, so that cores of one package, NUMA domain or L3 have adjacent indices.
struct machine {
  /// Whether a CPU may run workers, or what keeps it from that.
  enum class cpu_state {
    usable,
    offline,          ///< switched off in the operating system
    not_in_cpuset,    ///< the control group's cpuset leaves it out
    not_in_affinity,  ///< the affinity mask of the calling thread leaves it out (taskset, numactl, a batch system)
  };

  /// One hardware thread (a PU in hwloc's words).
  struct cpu {
    unsigned os_index = 0;
    std::optional<unsigned> core;  ///< none for a CPU that is offline: its core is not known
    cpu_state state = cpu_state::usable;
  };

  /// One physical core.
  struct core {
    unsigned index = 0;
    unsigned package = 0;
    unsigned numa_node = 0;  ///< home node: the nearest node that has CPUs of its own
    unsigned l3_group = 0;
    std::vector<unsigned> os_cpus;         ///< all its hardware threads
    std::vector<unsigned> usable_os_cpus;  ///< those that may run workers, in the same order
    std::uint64_t private_cache = 0;       ///< bytes: its own L2, or its L1 when the L2 is shared or absent; 0 unknown
    std::uint64_t shared_cache = 0;        ///< bytes of the cache it shares with its l3_group; 0: none is known
  };

  /// The cores that share one L3; on a machine without one, those that share an L2; failing that, a NUMA domain.
  struct l3_group {
    unsigned index = 0;
    unsigned package = 0;
    unsigned level = 0;       ///< 3 or 2: the level of the cache that is shared; 0: none, the group is a NUMA domain
    std::uint64_t bytes = 0;  ///< size of that cache; 0 when there is none
    std::vector<unsigned> cores;
  };

  struct package {
    unsigned index = 0;
    std::vector<unsigned> cores;
  };

  /// One memory node. Nodes that are some core's home are the machine's NUMA domains; the others have no CPU.
  struct node {
    unsigned index = 0;
    unsigned os_index = 0;             ///< the number that mbind and move_pages take
    std::uint64_t capacity = 0;        ///< bytes; 0: no memory, or not said by the machine description
    std::string kind;                  ///< "DRAM", "HBM", "MCDRAM", ...; empty when nobody says
    bool cpu_less = false;             ///< home of no core: memory-side DRAM, HBM, CXL
    std::vector<unsigned> local_cpus;  ///< OS numbers of the CPUs nearest to it, those of other nodes included
    std::vector<unsigned> cores;       ///< cores whose home it is
    std::optional<double> bandwidth;   ///< MiB/s from its local CPUs, as declared by the firmware, else as measured
    std::optional<double> latency;     ///< nanoseconds from its local CPUs, as declared by the firmware
  };

  std::string name;    ///< the processor's model, the synthetic description or the XML file
  std::string source;  ///< "this computer", "HWLOC_SYNTHETIC" or "HWLOC_XMLFILE"
  std::vector<package> packages;
  std::vector<l3_group> l3_groups;
  std::vector<core> cores;
  std::vector<node> nodes;  ///< ascending by os_index
  std::vector<cpu> cpus;    ///< ascending by os_index
  /// The nodes' bandwidths are what `jackdaw machine bandwidths` has measured: the firmware does not declare them all.
  bool bandwidths_measured = false;

  /// Distance from node i to node j at [i * nodes.size() + j]; relative: 10 is local (ACPI SLIT).
  std::vector<std::uint64_t> node_distances;
  bool distances_declared = false;  ///< false: nobody says, so 10 to nodes with the same CPUs and 20 to all others

  /// The different distances between the homes of cores in different packages (the larger of both ways), ascending;
  /// empty unless distances_declared.
  std::vector<std::uint64_t> remote_distances;

  /// CPUs' worth of time that the control groups' quota allows, rounded up; none without a quota. It limits how many
  /// workers are started unless a number is asked for, not where they may run.
  std::optional<unsigned> cpu_quota;
  std::string cpu_quota_source;  ///< the file that sets cpu_quota

  bool is_this_computer = false;  ///< false for a machine read from a description: there is nothing to bind to

  /// This computer, or what HWLOC_SYNTHETIC or HWLOC_XMLFILE describe in its place (as in hwloc, the first wins).
  /// Usable CPUs are those in the affinity mask of the calling thread and in the control group's cpuset. Throws
  /// jackdaw::error when a description cannot be read.
  static machine detect();

  /// The machine that an hwloc synthetic description describes, e.g. "package:8 l3:1 core:4 pu:2". All its CPUs are
  /// usable. Throws jackdaw::error.
  static machine from_synthetic(const std::string& description);

  /// The machine in an XML file written by `lstopo --of xml`. All its CPUs are usable. Throws jackdaw::error.
  static machine from_xml(const std::string& path);

  /// Whether threads can be pinned to, and memory bound on, this machine.
  bool bindable() const noexcept { return is_this_computer; }

  unsigned usable_cores() const noexcept;  ///< cores with at least one usable CPU
  unsigned usable_cpus() const noexcept;

  /// Indices of the nodes that are some core's home.
  std::vector<unsigned> numa_domains() const;

  /// Workers that a runtime starts when nobody says how many: one per usable physical core, at most cpu_quota.
  unsigned default_workers() const noexcept;

  /// Distance between two nodes, given by index; 10 is local.
  std::uint64_t node_distance(unsigned from, unsigned to) const;

  /// Places for `workers` workers (0: default_workers()), in the order in which workers are numbered: those of one
  /// package, NUMA domain, L3 and core are neighbours. Physical cores are taken first, one worker each; more workers
  /// than usable cores share cores as SMT siblings; more workers than usable CPUs are not pinned but still spread
  /// evenly, so that each has a package. On a machine that is not bindable() no worker is pinned.
  std::vector<worker_place> place_workers(unsigned workers, placement_order order) const;

  /// How far apart two workers are: 0 same core, 1 same L3, 2 same NUMA domain, 3 same package, 4 and more another
  /// package; each level lies within the next. Where distances are declared, packages that are nearer get the lower
  /// of the levels from 4 on.
  unsigned distance(const worker_place& a, const worker_place& b) const;
};

/// In a few words, for people: why a CPU in this state runs no workers ("usable" when it does).
std::string_view why(machine::cpu_state state) noexcept;

}  // namespace jackdaw

#pragma GCC visibility pop
