// Arenas: engines without threads of their own. A thread of the host comes to a place in an arena as a task of the
// host. README-arena.md.
#include <algorithm>
#include <chrono>

#include "base/happens_before.hpp"
#include "jackdaw/tied.hpp"
#include "runtime/guest.hpp"
#include "runtime/standstill.hpp"
#include "runtime/thread_of.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {

worker::summons::summons(worker& place) noexcept : entry(&come), place(place) {}

/// The task of the host: its worker's thread is in the place until there is nothing for it.
fiber* worker::summons::come(entry* self) noexcept {
  worker& to = static_cast<summons*>(self)->place;
  threads& host = *to.home.host();
  host.visit(to, stay::usual);
  host.end_visit();  // the arena may have ended
  return nullptr;
}

void guest::come() noexcept {
  threads& arena = who.home;
  threads& host = *arena.host();
  // From here on it is called again. Sequentially consistent, as the queue's count: what was put before is seen.
  called.store(false, std::memory_order_seq_cst);
  while (who.returns.waiting() > 0) {
    arena.step_in(who);
  }
  arena.end_waking();
  host.end_visit();
}

// ---- the host -----------------------------------------------------------------------------------------------------

run_queue& threads::queue_for(const worker::summons& to) noexcept {
  const priority how = to.place.home.urgency();
  return how == priority::high ? urgent_ : how == priority::low ? spare_ : run_queue_;
}

/// A visit counts as a root: others get turns beside it, and clients do not run its tasks in place of theirs. One of
/// low priority is no root, but what a worker's thread does while the worker sleeps.
void threads::invite(worker::summons& to) noexcept {
  if (to.place.home.urgency() != priority::low) {
    begin_visit();
  }
  summon(to);
}

void threads::summon(worker::summons& to) noexcept {
  const priority how = to.place.home.urgency();
  put_now(queue_for(to), to.turn, item_of(&to));
  if (how == priority::low) {
    wake_spare();
    return;
  }
  wake_for_queued();
  if (how == priority::high && !sleepers_.anyone_idle()) {
    ask_next();
  } else {
    ask_for_new_root();
  }
}

bool threads::withdraw(worker::summons& to) noexcept {
  const bool counted = to.place.home.urgency() != priority::low;
  if (!queue_for(to).remove(to.turn)) {
    return false;
  }
  if (counted) {
    end_visit();
  }
  return true;
}

/// Runs as a task, or on an errand.
void threads::visit(worker& place, stay how) noexcept {
  threads& arena = place.home;
  const bool is_apart = arena.apart_of_ != nullptr, holds = is_apart || arena.holds_threads_;
  client& who = arena.guests_[this_worker()->id]->who;
  bool tied = false;
  do {
    arena.occupy(place, how);
    tied = holds && who.own_ties > 0;
  } while (!arena.vacate(place));
  // The code that has isolated the task may hold a lock that other tasks of this thread's wait for. So what is tied to
  // the thread comes first. The arena may have ended, unless there is such a tie. The client may have gone before what
  // its code has left behind has ended (oneTBB), so vacant places are this thread's to take, too.
  if (!tied) return;
  standstill stands(*this, who.own_ties);
  while (who.own_ties > 0 && (is_apart || !stands.is_long())) {
    if (!who.wait(std::chrono::milliseconds(1)) && who.own_ties > 0) {
      if (worker* const vacant = arena.take_vacant()) arena.stand_in(*vacant, who);
    }
  }
}

/// The thread of `self` is in that place of an arena from now on; null: at home again. Whoever wants it back finds the
/// place as long as the arena is there.
void threads::is_in(worker& self, worker* place) noexcept {
  const std::lock_guard hold(visiting_);
  visits_[self.id] = place;
  self.away_for.store(place != nullptr ? place->home.urgency() : priority::normal, std::memory_order_relaxed);
  // Whoever has asked for it before the lock did not find the place.
  const worker::errand errand = self.on_errand.load(std::memory_order_relaxed);
  const bool asked = errand == worker::errand::none ? self.gives_way.load(std::memory_order_relaxed)
                                                    : errand == worker::errand::called;
  if (place != nullptr && (asked || self.returns.waiting() > 0)) {
    call_back(*place);
  }
}

std::uint32_t threads::worker_on(const void* thread) const noexcept {
  for (const auto& each : workers_) {
    if (each->thread.load(std::memory_order_relaxed) == thread) {
      return each->id;
    }
  }
  return sched::none;
}

int* threads::ties_that_follow() noexcept {
  const worker* const from = this_worker();
  const bool goes_home = host_ != nullptr && from != nullptr && &from->home == host_;
  const std::uint32_t whose = goes_home ? host_->worker_on(this_thread()) : sched::none;
  return whose != sched::none ? &guests_[whose]->who.own_ties : nullptr;
}

void threads::bring(std::uint32_t who, guest& to) noexcept {
  begin_visit();
  worker& at = *workers_[who];
  at.returns.put(to.turn, item_of(&to), 0);
  hurry(at);
  wake(who);
}

bool threads::withdraw(std::uint32_t who, guest& to) noexcept {
  if (!workers_[who]->returns.remove(to.turn)) {
    return false;
  }
  end_visit();
  return true;
}

/// Asks for the thread of a worker that may be in an arena. While a thread is in a place, that is neither open nor does
/// its worker sleep while it is lent: so to wake it summons nobody, which would take this lock again.
void threads::recall(std::uint32_t who) noexcept {
  const std::lock_guard hold(visiting_);
  if (worker* const place = visits_[who]) {
    call_back(*place);
    place->home.wake(place->id);
  }
}

/// The thread in that place of an arena is to leave it. What it runs gives way.
void threads::call_back(worker& place) noexcept {
  place.leaves.store(true, std::memory_order_relaxed);
  place.home.hurry(place);
}

// ---- the arena ----------------------------------------------------------------------------------------------------

/// No thread is in any place yet.
void threads::open_places() {
  for (std::uint32_t each = 0; each < host_->workers(); ++each) {
    guests_.push_back(std::make_unique<guest>(*this));
    guests_.back()->who.is_apart = apart_of_ != nullptr;
  }
  for (const auto& each : workers_) {
    each->parked.store(worker::open, std::memory_order_relaxed);
    each->turn_to(worker::doing::asleep);
    releases(&each->parked);
  }
  sleepers_.begin_asleep();
}

void threads::hold_threads() noexcept {
  holds_threads_ = true;
  for (const auto& each : guests_) each->who.is_member = true;  // what its thread runs while it is held
}

bool threads::is_guests(const int* ties) const noexcept {
  return std::any_of(guests_.begin(), guests_.end(), [ties](const auto& each) { return &each->who.own_ties == ties; });
}

/// Lets a task go on on that thread of the host, which is in no place of this arena.
bool threads::send_to_guest(const void* thread, fiber* rest) noexcept {
  const std::uint32_t whose = host_ != nullptr ? host_->worker_on(thread) : sched::none;
  if (whose == sched::none) {
    return false;
  }
  guest& there = *guests_[whose];
  there.waits_for.call([&] { there.who.returns.put(rest->turn, item_of(rest), 0); });
  if (!there.called.exchange(true, std::memory_order_seq_cst)) {
    begin_waking();
    host_->bring(whose, there);
  }
  return true;
}

/// Takes a place for which a thread of the host has been called and has not come.
bool threads::take_vacant(worker& at) noexcept {
  if (host_ == nullptr || !host_->withdraw(at.summons_here)) {
    return false;
  }
  acquires(&at.parked);
  at.parked.store(worker::lent, std::memory_order_relaxed);
  return true;  // counted by begin_waking() since it was called
}

/// Takes one of these places; first one in which something waits that returns to a thread. Null: there is none.
worker* threads::take_vacant() noexcept {
  for (const bool any : {false, true}) {
    for (const auto& each : workers_) {
      if ((any || each->returns.waiting() > 0) && take_vacant(*each)) {
        return each.get();
      }
    }
  }
  return nullptr;
}

/// Lends such places to clients that want one: they may have been vacated before their threads saw that.
void threads::lend_vacant() noexcept {
  for (const auto& each : workers_) {
    if (clients_.waiting() == 0 || !take_vacant(*each)) {
      continue;
    }
    if (client* const to = clients_.take_waiting()) {
      end_search(*each);
      end_waking();
      to->task.call([&] { to->place.store(each.get(), std::memory_order_release); });
    } else {
      give_back(*each, true, false);
    }
  }
}

/// Waits until no thread is in any place, or comes to one. No root is under way. A task's worker may be the one whose
/// thread has been called.
void threads::close_places() noexcept {
  while (wakers_.load(std::memory_order_acquire) != 0) {
    for (const auto& each : workers_) {
      if (host_->withdraw(each->summons_here)) {
        end_waking();
      }
    }
    for (std::uint32_t whose = 0; whose < host_->workers(); ++whose) {
      if (host_->withdraw(whose, *guests_[whose])) {
        end_waking();
      }
    }
    if (!stand_aside()) {
      hardware::yield();
    }
  }
  acquires(&wakers_);
}

// ---- low priority -------------------------------------------------------------------------------------------------

/// The thread of a worker that sleeps is in an arena meanwhile, until there is nothing for it or it is called. Whatever
/// the worker has, a client may have it now, and the thread touches none of it.
void threads::run_errand(worker& self) noexcept {
  self.on_errand.store(worker::errand::runs, std::memory_order_relaxed);
  sleepers_.set_away(self.id, true);
  hardware::full_fence();  // whoever has made the worker rise, and then finds no errand, is seen below
  if (self.parked.load(std::memory_order_relaxed) != worker::own) {
    if (const sched::item what = spare_.take()) {
      wake_spare();
      away_.fetch_add(1, std::memory_order_relaxed);
      visit(static_cast<worker::summons*>(reinterpret_cast<entry*>(what.handle() & ~std::uintptr_t{1}))->place,
            stay::on_errand);
      away_.fetch_sub(1, std::memory_order_relaxed);
    }
  }
  sleepers_.set_away(self.id, false);
  if (self.on_errand.exchange(worker::errand::none, std::memory_order_relaxed) == worker::errand::called) {
    sleepers_.begin_search();
  }
  hardware::full_fence();  // its caller looks whether something waits for a wake_spare() that passed this worker over
}

/// The worker has been made to rise. If its thread runs an errand, calls it. Until it comes it does not count as
/// searching, because what it runs there may be long; then it does. Uncounted first: were the count too high, others
/// would rely on a search that has ended.
bool threads::call_home(worker& sleeper) noexcept {
  hardware::full_fence();  // between `parked` and this
  if (sleeper.on_errand.load(std::memory_order_relaxed) != worker::errand::runs) {
    return false;
  }
  sleepers_.await();
  worker::errand runs = worker::errand::runs;
  if (!sleeper.on_errand.compare_exchange_strong(runs, worker::errand::called, std::memory_order_relaxed)) {
    sleepers_.begin_search();
    return false;
  }
  recall(sleeper.id);
  // Somebody at home looks in its place. Others have woken nobody while the sleeper counted.
  if (const std::uint32_t who = sleepers_.summon_spare(1, sleeper.id); who != sleepers_.none) {
    unpark(who);
  }
  return true;
}

/// An arena of low priority wants a thread: wakes a sleeper that has one, unless others are about to lie down.
void threads::wake_spare(std::uint32_t except) noexcept {
  if (const std::int64_t wanted = spare_.waiting(); wanted > 0) {
    hardware::full_fence();  // between the queue and who is away
    if (const std::uint32_t who = sleepers_.summon_spare(wanted, except); who != sleepers_.none) {
      unpark(who);
    }
  }
}

/// Called from time to time: a thread that runs an errand comes home if another arena of low priority has waited for
/// long; or if there is something to take, perhaps because the one that was called runs something long.
void threads::look_after_spare() noexcept {
  if (!has_arenas()) {
    return;
  }
  wake_spare();
  for (const auto& each : workers_) {
    // Again: the place may have been lent to a client meanwhile, which took the question for one to itself.
    if (each->on_errand.load(std::memory_order_relaxed) == worker::errand::called) {
      recall(each->id);
    }
  }
  if (sleepers_.anyone_away() && (is_overdue(spare_) || !hardware::can_fence() || anything_in_sight())) {
    if (const std::uint32_t who = sleepers_.call_one(turn_.load(std::memory_order_relaxed) % workers());
        who != sleepers_.none) {
      unpark(who);
    }
  }
}

// ---- the arena's places -------------------------------------------------------------------------------------------

/// The worker has been woken, and no thread is in its place.
void threads::call_for_thread(worker& to) noexcept {
  begin_waking();  // until the visit has ended
  host_->invite(to.summons_here);
}

/// Whether the thread is to leave this place of an arena now: there is nothing in it that only this thread may take.
bool threads::has_to_leave(const worker& self) const noexcept {
  return self.leaves.load(std::memory_order_relaxed) && self.serves == nullptr && self.has_nothing() &&
         self.returns.waiting() == 0 && clients_.waiting() == 0;
}

/// Whether a thread that finds nothing in this place of an arena should not go on looking: something waits for it in
/// the host.
bool threads::is_wanted_elsewhere(const worker& self) const noexcept {
  return self.visitor != nullptr &&
         (self.leaves.load(std::memory_order_relaxed) || host_->in_queues() > 0 || self.visitor->mailbox.full() ||
          self.visitor->returns.waiting() > 0 || (urgency_ == priority::low && host_->spare_.waiting() > 0));
}

/// Runs what is to be done in a place that has been woken and so counts as searching. Returns when it has lain down,
/// the engine stops, or the host wants the thread.
void threads::occupy(worker& self, stay how) noexcept {
  acquires(&self.parked);
  self.lies_down = false;
  self.visitor = this_worker();
  const thread_of here = come_to(self, how, &guests_[self.visitor->id]->who.own_ties);
  self.thread.store(this_thread(), std::memory_order_relaxed);
  self.turn_to(worker::doing::searching);
  if (const sched::item first = search(self)) {
    self.turn_to(worker::doing::running);
    self.loop(first);
  }
  self.thread.store(nullptr, std::memory_order_relaxed);
  self.visitor = nullptr;
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
