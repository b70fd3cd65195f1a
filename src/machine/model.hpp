#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jackdaw {

/// A computer as a machine file describes it (docs/machines.md): what a simulation needs to know. Sizes are in bytes,
/// times in ns, rates in bytes per ns (GB/s). A "socket" is a set of cores that are equally far from every memory node:
/// a package, or one of its sub-NUMA clusters. Its cores share one last-level cache or several.
struct machine_model {
  enum class memory_kind : std::uint8_t { dram, hbm, cxl };
  enum class origin : std::uint8_t { paper, datasheet, measured, assumed };
  /// What a shared cache keeps beside the private ones.
  enum class fill_policy : std::uint8_t {
    victim,     ///< what left them, and what they have read from it
    inclusive,  ///< all that they have
    exclusive,  ///< what left them and is in none of them again
  };
  /// What leaves a full shared cache.
  enum class replacement : std::uint8_t {
    oldest,  ///< the block that was used least recently
    any,     ///< any block, with equal probability
  };
  /// Where clean lines come from that the reader's group has only in other cores' private caches, or not at all.
  enum class clean_source : std::uint8_t {
    memory,
    neighbours,  ///< from the private caches of the group
    sockets,     ///< from these, else from another group's caches
  };

  struct cache {
    std::uint64_t size = 0;  ///< 0: no such cache
    double rate = 0;         ///< for one core that streams from it
    double latency = 0;
    double overlap = -1;  ///< part of the time for data from it that is hidden by computing; below 0: as of memory
  };
  /// How a core's stream from memory begins. Prefetchers need some of a run of consecutive bytes before they are ahead
  /// of the core.
  struct ramp {
    std::uint64_t length = 0;  ///< the bytes of each run that come slowly; 0: none
    double rate = 0;           ///< at which these come to one core from memory of its own socket
    double line_rate = 0;  ///< the same for the first line of a run, which nothing foretells; 0 or above `rate`: as it
    double overlap = -1;   ///< part of the time for them that is hidden by computing; below 0: as of memory
  };
  /// Memory that keeps copies of what lies on a node, below all cores' caches and unseen by programs.
  struct side_cache {
    std::uint64_t size = 0;  ///< 0: none
    double bandwidth = 0;
    double latency = 0;  ///< of what it has, from the node's own socket; 0: as the node's
    double rate = 0;     ///< for one core of that socket that streams from it; 0: local_rate
  };
  struct memory_node {
    unsigned socket = 0;  ///< the nearest one
    memory_kind kind = memory_kind::dram;
    std::uint64_t capacity = 0;
    double bandwidth = 0;
    double latency = 0;  ///< from its own socket, of what no memory-side cache has
    double rate = 0;     ///< for one core of its own socket that streams from it; 0: local_rate
    side_cache cached = {};
  };
  /// One direction of a connection between two sockets.
  struct link {
    unsigned from = 0, to = 0;
    double bandwidth = 0;
    double latency = 0;  ///< added by the link
  };
  /// What the runtime's own work costs, in ns.
  struct costs {
    double spawn = 0;         ///< a fork of the lower tier
    double join = 0;          ///< a join of the lower tier whose children were not stolen
    double place = 0;         ///< sending a task of the upper tier to another worker
    double suspend = 0;       ///< leaving a waiting task and entering another
    double steal_local = 0;   ///< a successful steal within a socket
    double steal_remote = 0;  ///< the same from another socket
    double look_local = 0;    ///< an attempt that finds nothing
    double look_remote = 0;
    double wake = 0;  ///< from the waker's call to the sleeper's first look
    /// What the call takes the waker; below 0: a third of `wake`.
    double wake_call = -1;
    /// How long a steal keeps other thieves from the deque, and how long a pool serves one worker; below 0: three
    /// quarters of a steal, three of its four line transfers.
    double turn_local = -1;
    double turn_remote = -1;

    double of_waker() const noexcept { return wake_call < 0 ? wake / 3 : wake_call; }
    double steal(bool remote) const noexcept { return remote ? steal_remote : steal_local; }
    double turn(bool remote) const noexcept {
      const double given = remote ? turn_remote : turn_local;
      return given < 0 ? steal(remote) * 3 / 4 : given;
    }
  };
  /// Where one figure of the file comes from.
  struct provenance {
    std::string key;  ///< as set_figure takes it: "private_cache.size", "node.0.bandwidth", "link.0-1.latency"
    origin from = origin::assumed;
    std::string note;
    std::string file;  ///< the file that gives it: the machine's own or one that it extends; empty: none
    int line = 0;
    std::optional<std::array<double, 2>> range;  ///< within which the figure may be, if it is assumed
  };

  std::string name;
  std::string description;
  std::string file;  ///< path that it was read from
  unsigned sockets = 1;
  unsigned cores_per_socket = 1;
  unsigned threads_per_core = 1;  ///< hardware threads
  double smt_rate = 1;            ///< work that all threads of a core do together, where one alone does 1
  double compute_rate = 1;        ///< work that one core does per ns; a Zen 4 core at 3.7 GHz does 1
  double vector_rate = 0;         ///< the same for work in each core's widest vectors; 0: compute_rate
  double overlap = 1;             ///< part of the shorter of a leaf's memory time and computing that is hidden, 0 to 1
  unsigned block = 512;           ///< bytes: the unit in which caches keep and drop data
  unsigned page = 4096;           ///< bytes: the unit of placement
  cache private_cache;            ///< of each core: its last private level
  cache shared_cache;             ///< of each group
  fill_policy fill = fill_policy::victim;
  replacement drops = replacement::oldest;
  unsigned shared_cache_cores = 0;  ///< how many cores share one; 0: all of a socket
  clean_source clean_lines = clean_source::memory;
  double shared_cache_total = 0;  ///< rate of a shared cache towards all its cores together
  double local_rate = 0;          ///< for one core that streams from memory of its own socket
  double remote_rate = 0;         ///< the same from another socket, memory or cache
  double write_rate = 0;          ///< of one core whose lines are written back while it reads; 0: local_rate
  ramp slow_start;
  std::vector<memory_node> nodes;
  std::vector<link> links;  ///< both directions of each connection
  costs cost;
  std::vector<provenance> origins;  ///< of every figure, in the order of the file

  unsigned cores() const noexcept { return sockets * cores_per_socket; }
  unsigned threads() const noexcept { return cores() * threads_per_core; }
  double rate_of(bool vector) const noexcept { return vector && vector_rate > 0 ? vector_rate : compute_rate; }
  /// Cores are numbered socket by socket.
  unsigned socket_of(unsigned core) const noexcept { return core / cores_per_socket; }
  /// A group is the cores of a socket that share a last-level cache, numbered as cores are.
  unsigned group_size() const noexcept { return shared_cache_cores != 0 ? shared_cache_cores : cores_per_socket; }
  unsigned groups() const noexcept { return cores() / group_size(); }
  unsigned group_of(unsigned core) const noexcept { return core / group_size(); }
  unsigned socket_of_group(unsigned group) const noexcept { return socket_of(group * group_size()); }
};

/// Reads and checks a machine file. `name` is a path, or the bare name of a file that jackdaw ships. Throws error with
/// one line that names the file, the line and what was expected.
machine_model load_machine_model(std::string_view name);

/// Bare names of the files that jackdaw ships, and of those in the folder $JACKDAW_MACHINES; ascending.
std::vector<std::string> shipped_machine_models();

}  // namespace jackdaw
