#pragma once

#include <cstdint>

#pragma GCC visibility push(default)

namespace jackdaw {

/// What the workers of a runtime did, summed. All are counts; forks are not counted, for that would cost as much as a
/// fork.
struct statistics {
  std::uint64_t steals_local = 0;   ///< taken from a worker of the thief's own package
  std::uint64_t steals_remote = 0;  ///< taken from another package
  std::uint64_t failed_steals = 0;  ///< attempts that found nothing
  std::uint64_t forced_steals = 0;  ///< of all steals, those that needed a heavy fence: the victim was in a long leaf
  std::uint64_t migrations = 0;     ///< tasks that were handed over, by the scheduler or to be near their memory
  std::uint64_t suspensions = 0;    ///< joins and waits that had to leave their stack
  std::uint64_t sleeps = 0;         ///< times that a worker gave up looking
  std::uint64_t in_place = 0;  ///< children and tasks that ran on another task's stack, or serially, for want of one
  std::uint64_t rescues = 0;   ///< tasks taken from where the scheduler had put them, since nobody came for them
  std::uint64_t turns = 0;     ///< times that a task gave way to another root
};

}  // namespace jackdaw

#pragma GCC visibility pop
