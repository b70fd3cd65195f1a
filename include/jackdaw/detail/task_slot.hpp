#pragma once

#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/lane.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

void*& task_slot_slow() noexcept;

/// Where the calling task keeps an address for an interface that stands on jackdaw (compat/tbb): of what its code is a
/// part of. On a thread that is no worker it is the thread's own. It goes with the task from thread to thread. A task
/// that starts on a stack of its own finds null there, because each that sets it sets it back.
inline void*& task_slot() noexcept {
  if (lane* const at = this_lane()) [[likely]] {
    return at->current->frame;
  }
  return task_slot_slow();
}

/// The calling thread's place among those of its runtime's workers, which no other thread has at the same time, in
/// isolated tasks either. No places: the thread is no worker.
struct thread_seat {
  unsigned index = 0;
  unsigned places = 0;
};
thread_seat seat_of_thread() noexcept;

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
