#pragma once

#include "runtime/threads.hpp"
#include "tbb/layout.hpp"

namespace jackdaw::onetbb {

/// Returns the index of the thread that is in this place, within its arena: below the arena's number of workers, and no
/// other thread of the arena has it meanwhile. A thread that runs an isolated task has the index of the place that it
/// has come from.
inline slot_id slot_of(const detail::worker& place) noexcept {
  const detail::worker* at = &place;
  while (const detail::threads* const of = at->home.apart_of()) {
    at = at->home.stands_for() != sched::none ? &of->place_of(at->home.stands_for()) : at->around;
  }
  return static_cast<slot_id>(at->id);
}

/// The calling thread's; no_slot on threads that are no workers.
inline slot_id this_slot() noexcept {
  if (const detail::lane* const at = detail::this_lane()) [[likely]] {
    return slot_of(*at->owner);
  }
  const detail::worker* const on = detail::this_worker();
  return on != nullptr ? slot_of(*on) : d1::no_slot;
}

}  // namespace jackdaw::onetbb
