#pragma once

#include <cstdint>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Event counts of a runtime, summed over its workers.
///
/// Forks are not counted, because counting one would cost as much as the fork itself.
struct statistics {
  std::uint64_t steals_local = 0;   ///< Steals from a worker in the thief's own package.
  std::uint64_t steals_remote = 0;  ///< Steals from a worker in another package.
  std::uint64_t failed_steals = 0;  ///< Steal attempts that found nothing.
  std::uint64_t forced_steals = 0;  ///< Steals that needed a heavy fence because the victim was in a long leaf.
  std::uint64_t migrations = 0;     ///< Tasks handed to a worker by the scheduler or because of an affinity.
  std::uint64_t suspensions = 0;    ///< Joins and waits that suspended their task.
  std::uint64_t sleeps = 0;         ///< Times a worker found no work and went to sleep.
  std::uint64_t in_place = 0;       ///< Tasks that ran on another task's stack, or serially, for lack of a stack.
  std::uint64_t rescues = 0;  ///< Tasks that an idle worker took although the scheduler had placed them elsewhere.
  std::uint64_t turns = 0;    ///< Times a task gave way to another root.
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
