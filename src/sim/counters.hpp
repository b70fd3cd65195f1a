#pragma once

#include <cstdint>
#include <vector>

namespace jackdaw::sim {

/// What a simulated worker did. Times in ns.
struct worker_counters {
  double computing = 0;     ///< leaves' own work
  double memory = 0;        ///< the rest of leaves' time: for data, or for other threads of the core
  double overhead = 0;      ///< forks, joins, steals that found something, placing, suspending
  double beside_work = 0;   ///< idle while a task waited that could run and that no worker had taken
  double instructions = 0;  ///< of its leaves' own work, as recorded: on every machine the same
  std::uint64_t leaves = 0, forks = 0, failed_steals = 0, migrations = 0, suspensions = 0, sleeps = 0, rescues = 0;
  std::vector<std::uint64_t> steals;  ///< by task_runner::distance to the victim
  std::vector<std::uint64_t> failed;  ///< of failed_steals: the same

  worker_counters& operator+=(const worker_counters& other);
  /// Leaves what was counted after `earlier`, a reading of the same counters.
  worker_counters& operator-=(const worker_counters& earlier);
};

/// The accesses of one core, or of several cores together. Bytes are those of whole lines of 64 bytes. Writes count as
/// well, because a line must be in the cache before it can be written.
struct memory_counters {
  std::uint64_t blocks = 0;                ///< accesses to a block
  std::uint64_t lines = 0;                 ///< accesses to a line
  std::uint64_t private_misses = 0;        ///< lines that were not in the core's private cache
  std::uint64_t shared_misses = 0;         ///< of these: lines that did not come from its group's caches
  std::uint64_t from_private = 0;          ///< bytes
  std::uint64_t from_shared = 0;           ///< bytes: shared cache, or a private one of the same group
  std::vector<std::uint64_t> from_socket;  ///< bytes from another group's caches, by its socket
  std::uint64_t from_side = 0;             ///< bytes from memory-side caches, which count in from_node too
  std::vector<std::uint64_t> from_node;    ///< bytes from memory, by node
  std::vector<std::uint64_t> to_node;      ///< bytes written back on this core's account, by node

  memory_counters& operator+=(const memory_counters& other);
  /// Leaves what was counted after `earlier`, a reading of the same counters.
  memory_counters& operator-=(const memory_counters& earlier);
};

}  // namespace jackdaw::sim
