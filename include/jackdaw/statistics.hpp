#pragma once

#include <cstdint>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Event counts of a worker, or of a runtime: then summed over its workers.
///
/// All are always counted, except local_bytes and remote_bytes. Forks are not counted, because counting one would cost
/// as much as the fork itself. An attempt to steal is a steal or a failed steal.
/// @par Source
/// Yashasree, Mallareddy and Vikranth (2021) count remote steals and remote false steals, section III-A.
struct statistics {
  std::uint64_t steals_local = 0;   ///< Steals from a worker in the thief's own package.
  std::uint64_t steals_core = 0;    ///< Of steals_local: from a worker on the thief's core.
  std::uint64_t steals_cache = 0;   ///< Of steals_local: from another core that shares the thief's last-level cache.
  std::uint64_t steals_remote = 0;  ///< Steals from a worker in another package.
  std::uint64_t failed_steals = 0;  ///< Steal attempts that found nothing (false steals).
  std::uint64_t failed_remote = 0;  ///< Of failed_steals: those whose victim is in another package.
  std::uint64_t forced_steals = 0;  ///< Steals that needed a heavy fence because the victim was in a long leaf.
  std::uint64_t migrations = 0;     ///< Tasks handed to a worker by the scheduler or because of an affinity.
  std::uint64_t suspensions = 0;    ///< Joins and waits that suspended their task.
  std::uint64_t sleeps = 0;         ///< Times a worker found no work and went to sleep.
  std::uint64_t in_place = 0;       ///< Tasks that ran on another task's stack, or serially, for lack of a stack.
  std::uint64_t rescues = 0;  ///< Tasks that an idle worker took although the scheduler had placed them elsewhere.
  std::uint64_t turns = 0;    ///< Times a task gave way to another root.
  /// Tasks that a worker took up when it had nothing else to run: stolen, placed, resumed or from outside. The others
  /// ran within their parents.
  std::uint64_t tasks = 0;
  std::uint64_t roots = 0;      ///< Tasks from outside that it has begun.
  std::uint64_t at_home = 0;    ///< Placed tasks that were taken up where the scheduler or an affinity wanted them.
  std::uint64_t away = 0;       ///< Placed tasks that were taken up elsewhere.
  std::uint64_t search_ns = 0;  ///< Nanoseconds in which a worker was awake and had nothing to run.
  std::uint64_t sleep_ns = 0;   ///< Nanoseconds in which a worker slept.
  /// Declared bytes (access.hpp) that lay on memory nodes of the worker's own squad. Counted while a scheduler watches,
  /// and always with options::count_accesses.
  std::uint64_t local_bytes = 0;
  std::uint64_t remote_bytes = 0;  ///< Declared bytes that lay on other memory nodes; counted like local_bytes.
  std::uint64_t moved_bytes = 0;   ///< Bytes of pages that the scheduler has moved to other memory nodes.

  /// Adds another count.
  statistics& operator+=(const statistics& other) noexcept;
  /// Leaves what was counted after `earlier`, a reading of the same counts.
  statistics& operator-=(const statistics& earlier) noexcept;
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
