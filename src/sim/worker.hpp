#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sched/task_runner.hpp"
#include "sched/vigil.hpp"
#include "sched/work_counter.hpp"
#include "sim/counters.hpp"
#include "sim/frame.hpp"
#include "sim/memory/memory.hpp"
#include "sim/turn.hpp"

namespace jackdaw::sim {

/// A core of the simulated machine that runs tasks.
struct worker {
  sched::worker_id id = 0;
  unsigned core = 0;
  unsigned socket = 0;

  frame* current = nullptr;
  frame* follows = nullptr;  ///< runs next, before the scheduler is asked
  std::array<entries, 2> lanes;
  std::array<turn, 2> thieves;  ///< of each lane
  sched::deque_kind active = sched::deque_kind::local;
  sched::item mailbox;
  std::vector<sched::pool_id> pools;  ///< whose home is this worker

  double spent = 0;  ///< ns of its own time that it has used up since its last event

  enum class doing : std::uint8_t { running, searching, asleep };
  doing state = doing::searching;
  double searches_since = 0;
  sched::vigil waits;     ///< for things that others have and it does not
  bool in_vain = false;   ///< it does not get what is in its reach, and is not woken for that
  bool watches = false;   ///< it sleeps, but wakes from time to time to look again
  std::uint64_t due = 0;  ///< order of its next event; its other events in the queue are void
  sched::worker_range scope;

  const trace::op* leaf = nullptr;  ///< the leaf that it executes
  double phase = 0;                 ///< where in a leaf's transfers it begins, see stagger
  transfers moving;                 ///< the leaf's transfers
  std::size_t moved = 0;            ///< how many of them are done or under way
  double leaf_began = 0;
  double leaf_computes = 0;
  double leaf_hides = 0;  ///< ns of the transfers so far that its computing hides if it takes as long as they do
  double move_began = 0;  ///< the transfer under way

  transfers copying;  ///< what it copies from node to node before it continues
  std::size_t copied = 0;
  worker* copies_for = nullptr;        ///< who has asked for that; null: it has itself, or nobody
  unsigned copiers = 0;                ///< workers that copy for it; it continues when they are done
  bool awaits = false;                 ///< it has no event, because it waits for them
  std::optional<double> copies_since;  ///< when it began to copy or to wait; none: it does neither

  unsigned touches = pages::none;  ///< the node for pages that it touches first; none: as the placement says
  sched::counts own;               ///< of its core's counts, those of its leaves, if it shares the core

  std::uint64_t seed = 0;
  worker_counters counts;

  bool copies() const noexcept { return !copying.empty() || copiers > 0 || copies_since; }
  entries& deque() noexcept { return lanes[static_cast<std::size_t>(active)]; }
};

}  // namespace jackdaw::sim
