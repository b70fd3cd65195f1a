#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "sched/task_runner.hpp"
#include "sched/vigil.hpp"
#include "sim/counters.hpp"
#include "sim/frame.hpp"
#include "sim/memory/memory.hpp"

namespace jackdaw::sim {

/// A core of the simulated machine that runs tasks.
struct worker {
  sched::worker_id id = 0;
  unsigned core = 0;
  unsigned socket = 0;

  frame* current = nullptr;
  frame* follows = nullptr;  ///< runs next, before the scheduler is asked
  std::array<entries, 2> lanes;
  sched::deque_kind active = sched::deque_kind::local;
  sched::item mailbox;
  std::vector<sched::pool_id> pools;  ///< whose home this is

  double spent = 0;  ///< ns of its own time that it has used up since its last event

  enum class doing : std::uint8_t { running, searching, asleep };
  doing state = doing::searching;
  double searches_since = 0;
  sched::vigil waits;     ///< for what others have and it has not
  bool in_vain = false;   ///< it does not get what is in its reach, and is not woken for that
  bool watches = false;   ///< it sleeps, but wakes from time to time for that
  std::uint64_t due = 0;  ///< which event is its next; others of it that are still to come are void
  sched::worker_range scope;

  const trace::op* leaf = nullptr;  ///< that it is in
  transfers moving;                 ///< what is still to be moved
  std::size_t moved = 0;            ///< how many of them are done
  double leaf_began = 0;
  double leaf_computes = 0;

  transfers copying;  ///< what it copies from node to node before it goes on
  std::size_t copied = 0;
  double copies_since = 0;

  std::uint64_t seed = 0;
  worker_counters counts;

  entries& deque() noexcept { return lanes[static_cast<std::size_t>(active)]; }
};

}  // namespace jackdaw::sim
