// Arenas: engines without threads of their own. A thread of the host comes to a place in an arena as a task of the host.
// README-arena.md.
#include "base/happens_before.hpp"
#include "jackdaw/tied.hpp"
#include "runtime/thread_of.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {
/// The task of the host: its worker's thread is in the place until there is nothing for it.
worker::summons::summons(worker& place) noexcept
    : entry([](entry* self) noexcept -> fiber* {
        worker& to = static_cast<summons*>(self)->place;
        threads& host = *to.home.host();
        host.visit(*this_worker(), to);
        host.roots().end();
        return nullptr;
      }),
      place(place) {}

// ---- the host -----------------------------------------------------------------------------------------------------

/// A visit counts as a root: others get turns beside it, and clients do not run its tasks in place of theirs.
void threads::invite(worker::summons& to) noexcept {
  roots_.begin();
  queue(to.turn, item_of(&to));
  ask_for_new_root();
}

bool threads::withdraw(worker::summons& to) noexcept {
  if (!run_queue_.remove(to.turn)) {
    return false;
  }
  roots_.end();
  return true;
}

/// `self` runs this as a task. Whoever wants its thread back finds the place in visits_, as long as the arena is there.
void threads::visit(worker& self, worker& place) noexcept {
  const auto is_in = [&](worker* where) {
    const std::lock_guard hold(visiting_);
    visits_[self.id] = where;
  };
  do {
    is_in(&place);
    place.home.occupy(place);
    is_in(nullptr);
  } while (!place.home.vacate(place));
}

/// Asks for the thread of a worker that may be in an arena.
void threads::recall(std::uint32_t who) noexcept {
  const std::lock_guard hold(visiting_);
  if (worker* const place = visits_[who]) {
    place->leaves.store(true, std::memory_order_relaxed);
    place->home.hurry(*place);
    place->home.wake(place->id);
  }
}

// ---- the arena ----------------------------------------------------------------------------------------------------

/// No thread is in any place yet.
void threads::open_places() noexcept {
  for (const auto& each : workers_) {
    each->parked.store(worker::open, std::memory_order_relaxed);
    each->turn_to(worker::doing::asleep);
    releases(&each->parked);
  }
  sleepers_.begin_asleep();
}

/// Waits until no thread is in any place, or comes to one. No root is under way.
void threads::close_places() noexcept {
  while (wakers_.load(std::memory_order_acquire) != 0) {
    for (const auto& each : workers_) {
      if (host_->withdraw(each->summons_here)) {
        end_waking();
      }
    }
    hardware::yield();
  }
}

/// The worker has been woken, and no thread is in its place.
void threads::call_for_thread(worker& to) noexcept {
  begin_waking();  // until the visit has ended
  host_->invite(to.summons_here);
}

/// Whether the thread is to leave this place of an arena now: there is nothing in it that only this thread may take.
bool threads::has_to_leave(const worker& self) const noexcept {
  return self.leaves.load(std::memory_order_relaxed) && self.serves == nullptr && self.has_nothing() &&
         self.returns.waiting() == 0;
}

/// Runs what is to be done in a place that has been woken and so counts as searching. Returns when it has lain down,
/// the engine stops, or the host wants the thread.
void threads::occupy(worker& self) noexcept {
  acquires(&self.parked);
  self.lies_down = false;
  const held_on there(held_to(self.id));
  const thread_of here(self, slot_of_node(where_.nodes[places_[self.id].numa_node].os_index));
  self.thread.store(this_thread(), std::memory_order_relaxed);
  self.turn_to(worker::doing::searching);
  if (const sched::item first = search(self)) {
    self.turn_to(worker::doing::running);
    self.loop(first);
  }
  self.thread.store(nullptr, std::memory_order_relaxed);
  self.turn_to(worker::doing::asleep);
}

/// The thread leaves the place, and does not touch it any more. False: it has been woken again, and stays.
bool threads::vacate(worker& self) noexcept {
  const bool recalled = self.leaves.exchange(false, std::memory_order_relaxed);
  const bool stops = stopping_.load(std::memory_order_seq_cst);
  releases(&self.parked);
  std::uint32_t closed = worker::closed;
  // Release: the next thread here sees what this one has done, by way of whoever wakes the worker.
  if (self.lies_down &&
      self.parked.compare_exchange_strong(closed, worker::open, std::memory_order_acq_rel, std::memory_order_acquire)) {
    end_waking();
    return true;
  }
  if (self.lies_down && !recalled && !stops) {
    return false;
  }
  if (!stops) {
    if (!self.lies_down) {
      sleepers_.begin_search();
    }
    call_for_thread(self);  // what is here waits for another thread; from here on one may be in the place
  }
  end_waking();
  return true;
}

}  // namespace jackdaw::detail
