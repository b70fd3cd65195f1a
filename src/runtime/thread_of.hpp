#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "jackdaw/detail/control_word.hpp"
#include "jackdaw/detail/home_slot.hpp"
#include "jackdaw/tied.hpp"
#include "runtime/announce.hpp"
#include "runtime/cpu_mask.hpp"
#include "runtime/exceptions.hpp"
#include "runtime/held_thread.hpp"
#include "runtime/overflow.hpp"
#include "runtime/threads.hpp"
#include "runtime/worker.hpp"

// What a thread has to change to be in a worker's place for a while. README-stand-in.md, README-arena.md.
namespace jackdaw::detail {

/// Whether the calling thread may run on one of these processors. Null: on any.
inline bool may_run_on(const std::vector<unsigned>* cpus) noexcept {
  if (cpus == nullptr) {
    return true;
  }
  cpu_mask may;
  return may.of_this_thread() && !may.part(*cpus).empty();
}

/// While it lives, the calling thread runs only on these processors, as the worker's own thread does. What a task has
/// done to the affinity mask meanwhile stays. Threads that it makes have the mask that it had before.
class held_on {
 public:
  explicit held_on(const std::vector<unsigned>* cpus) noexcept {
    if (cpus != nullptr && before_.of_this_thread()) {
      const cpu_mask there = before_.part(*cpus);
      if (!there.empty() && there != before_ && there.give_to_this_thread()) {
        held_.emplace(before_);
      }
    }
  }
  ~held_on() {
    if (held_ && held_->holds()) {
      before_.give_to_this_thread();
    }
  }
  held_on(const held_on&) = delete;
  held_on& operator=(const held_on&) = delete;

 private:
  cpu_mask before_;
  std::optional<held_thread> held_;
};

/// While it lives, the calling thread is that worker's, and held on these processors. It is a client, or a worker of
/// the engine whose arena this is, in a task of it.
class thread_of {
 public:
  /// `ties`: what the thread counts its ties in this engine in; null in one that has threads of its own.
  thread_of(worker& on, stay how, unsigned home_slot, const std::vector<unsigned>* cpus, int* ties) noexcept
      : there_(cpus),
        on_(on),
        before_(this_worker()),
        around_(std::exchange(on.around, before_)),
        how_(how),
        lane_(this_lane()),
        slot_(jackdaw_home_slot),
        ties_(count_ties_into(ties)),
        for_handler_(on.handler_stack),
        stack_(before_ != nullptr && how != stay::on_errand ? before_->active->current : nullptr) {
    swap_exceptions(handled_);
    for (std::size_t i = 0; i < std::size(on.lanes); ++i) {
      exceptions_[i] = on.lanes[i].exceptions;
      on.lanes[i].exceptions = this_exception_state();
    }
    set_this_home_slot(home_slot);
    set_this_worker(&on);
    set_this_lane(nullptr);
    is_in(&on);
  }
  ~thread_of() {
    is_in(nullptr);
    on_.around = around_;
    set_this_worker(before_);
    set_this_home_slot(slot_);
    count_ties_into(ties_);
    for (std::size_t i = 0; i < std::size(on_.lanes); ++i) {
      on_.lanes[i].exceptions = exceptions_[i];
    }
    swap_exceptions(handled_);
    control_.set();
    set_this_lane(lane_);
  }
  thread_of(const thread_of&) = delete;
  thread_of& operator=(const thread_of&) = delete;

 private:
  void is_in(worker* place) noexcept {
    if (before_ != nullptr && how_ != stay::apart) {
      before_->home.is_in(*before_, place);
    }
  }

  const held_on there_;
  worker& on_;
  worker* const before_;
  const worker* const around_;  // the thread that has lent the place may have come from another one
  const stay how_;
  lane* const lane_;
  const unsigned slot_;
  int* const ties_;
  const control_word control_;            // of this thread: tasks may leave another one
  exception_state handled_;               // what this thread is handling is not its tasks'
  const exception_state* exceptions_[2];  // of the worker's own thread
  const overflow_stack for_handler_;
  const kept_frames frames_;
  const loop_stack_on stack_;
};

}  // namespace jackdaw::detail
