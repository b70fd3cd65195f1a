// Clients that stand in for sleeping workers, so that a root needs no wake-up to begin and none to end.
// README-stand-in.md.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "base/happens_before.hpp"
#include "jackdaw/detail/home_slot.hpp"
#include "runtime/checks.hpp"
#include "runtime/thread_of.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {

/// Returns a sleeping worker that is to start what goes to `where` and whose place the calling thread has now; null if
/// there is none, or if other roots are under way: this thread must run no task of theirs.
worker* threads::borrow(const sched::destination& where) noexcept {
  if (!lends_places() || roots_.count() != 1) {
    return nullptr;
  }
  const auto cpu = static_cast<unsigned>(sched_getcpu());
  using how = sched::destination::how;
  const std::uint32_t wanted = where.where == how::anyone    ? sched::none
                               : where.where == how::mailbox ? where.worker
                                                             : pools_[where.pool]->home;
  // Two threads on one core would be in each other's way.
  const auto may_be = [&](const worker& at) {
    return (wanted == sched::none || at.id == wanted) && at.parked.load(std::memory_order_relaxed) == worker::open &&
           (held_to(at.id) == nullptr || at.on_errand.load(std::memory_order_relaxed) == worker::errand::none);
  };
  // The worker's core, where the client need not move to another cache.
  const auto is_here = [&](const worker& at) {
    const std::vector<unsigned>* const held = held_to(at.id);
    const worker_place& its = places_[at.id];
    const std::vector<unsigned>* const near = its.os_cpu ? &where_.cores[its.core].os_cpus : held;
    return held == nullptr || std::find(near->begin(), near->end(), cpu) != near->end();
  };
  for (const bool moves : {false, true}) {
    for (const auto& each : workers_) {
      // The thread of an isolated task stays on its own processors.
      const bool may_come = apart_of_ != nullptr || may_run_on(held_to(each->id));
      if (may_be(*each) && moves != is_here(*each) && may_come && borrow(*each)) {
        return each.get();
      }
    }
  }
  return nullptr;
}

/// The processors that a client in this worker's place is held on. Null: an unpinned worker may be anywhere.
const std::vector<unsigned>* threads::held_to(std::uint32_t id) const noexcept {
  const worker_place& its = places_[id];
  return its.os_cpu || its.stays_in_l3 ? &cpus_[id] : nullptr;
}

/// Takes the place of that worker, if its thread sleeps. From here on the worker counts as searching, and the engine
/// does not end before give_back().
bool threads::borrow(worker& at) noexcept {
  if (at.parked.load(std::memory_order_relaxed) != worker::open || !sleepers_.rise(at.id)) {
    return false;
  }
  std::uint32_t open = worker::open;
  // Acquire: sees what the worker's thread, or the last client in its place, has done.
  if (!at.parked.compare_exchange_strong(open, worker::lent, std::memory_order_acquire, std::memory_order_relaxed)) {
    unpark(at.id);  // its thread gives stacks back now, and is awake already
    return false;
  }
  acquires(&at.parked);
  begin_waking();
  return true;
}

/// While the returned object lives, the calling thread is that worker's. One that is no worker of the host's and has
/// isolated a task goes where the system puts it: the host's workers may be busy on all of their processors. `ties`:
/// see thread_of.
thread_of threads::come_to(worker& self, stay how, int* ties) const noexcept {
  const bool roams = how == stay::apart && host_->worker_on(this_thread()) == sched::none;
  return {self, how, slot_of_node(where_.nodes[places_[self.id].numa_node].os_index),
          roams ? nullptr : held_to(self.id), ties};
}

void threads::stand_in(worker& self, client& of) noexcept { serve(self, of, true); }

void threads::step_in(client& of) noexcept { serve(place_for(of), of, false); }

/// `begins`: the client has sent its root, and the worker counts as searching.
void threads::serve(worker& self, client& of, bool begins) noexcept {
  bool searches = begins, quiet = false;
  {
    const thread_of here = come_to(self, of.is_apart ? stay::apart : stay::usual, host_ != nullptr ? of.ties : nullptr);
    self.serves = &of;
    sched::item next;
    if (begins) {
      self.turn_to(worker::doing::searching);
      next = self.take_next();
      if (!next) {
        next = look(self);
      }
      // Nobody has left a wake-up to this search if no other root is under way, nor an arena wants a thread. So the
      // root begins without one.
      searches =
          !next || !sleepers_.end_search_alone([this] { return roots_.count_now() > 1 || spare_.waiting() > 0; });
      if (searches) {
        if (next) {
          self.put_back(next);
        }
        next = search(self);
        searches = !next;
      }
      if (next && has_served(self)) {
        self.put_back(std::exchange(next, {}));
      }
    }
    for (;;) {
      if (next || (next = returned(self))) {
        self.turn_to(worker::doing::running);
        self.run(next);
        next = self.take_next();
      } else if (searches || has_served(self)) {
        break;
      } else {
        next = find(self);
        searches = !next;
      }
      if (next && has_served(self)) {
        self.put_back(std::exchange(next, {}));
      }
    }
    // The deques of its own are empty if the root has ended and there is no other. A thread that waits in a place of an
    // arena has to be woken.
    quiet = of.task.ended() && self.has_nothing() && self.parked.load(std::memory_order_relaxed) == worker::lent;
    self.takes_turn = false;
    self.serves = nullptr;
  }
  self.leaves.store(false, std::memory_order_relaxed);
  give_back(self, searches, quiet);
}

/// Returns a worker whose place the client has now: one that sleeps, or the first one that comes to its loop and lends
/// its place. It does not count as searching.
worker& threads::place_for(client& of) noexcept {
  // Better on the client's own processors. It is not held on others, if they have been forbidden to it meanwhile.
  for (const bool anywhere : {false, true}) {
    for (const auto& each : workers_) {
      if ((anywhere || may_run_on(held_to(each->id))) && (borrow(*each) || take_vacant(*each))) {
        end_search(*each);
        return *each;
      }
    }
  }
  clients_.want_place(of);
  bool woken = false;
  for (const auto& each : workers_) {
    hurry(*each);
    if (!woken && sleepers_.rise(each->id)) {
      unpark(each->id);
      woken = true;
    }
  }
  // Acquire: sees what the worker's thread has done there.
  const auto lent = [&of] { return of.place.load(std::memory_order_acquire) != nullptr; };
  while (!lent()) {
    of.task.wait_for_call(std::chrono::milliseconds(10), lent);
    lend_vacant();
  }
  worker& place = *of.place.exchange(nullptr, std::memory_order_relaxed);
  acquires(&place.parked);
  begin_waking();
  return place;
}

/// Whether a client wants a place, and the worker's own thread is in its own.
bool threads::is_wanted(const worker& self) const noexcept { return clients_.waiting() > 0 && self.serves == nullptr; }

/// The worker's own thread, which does not count as searching, lends its place to a client that wants one, and sleeps
/// until it has the place back. It does not count as searching then either.
void threads::lend(worker& self) {
  client* const to = clients_.take_waiting();
  if (to == nullptr) {
    return;  // another worker was faster
  }
  self.turn_to(worker::doing::asleep);
  releases(&self.parked);
  self.parked.store(host_ != nullptr ? worker::sublet : worker::lent, std::memory_order_relaxed);
  to->task.call([&] { to->place.store(&self, std::memory_order_release); });
  sleep(self, std::chrono::nanoseconds::max());
  self.turn_to(worker::doing::searching);
  end_search(self);
}

/// Ends what borrow() began. `searches`: the worker counts as searching. `quiet`: there seems to be nothing to do; then
/// its thread sleeps on, if that is so.
void threads::give_back(worker& self, bool searches, bool quiet) noexcept {
  if (!searches) {
    sleepers_.begin_search();
  }
  self.heard = 0;
  self.turn_to(worker::doing::asleep);
  releases(&self.parked);
  // The worker that has ended the root says so before it counts it as ended.
  for (unsigned i = 0; quiet && i < 100 && roots_.any(); ++i) {
    hardware::pause();
  }
  bool sleeps = quiet && !roots_.any();
  if (sleeps) {
    self.parked.store(worker::open, std::memory_order_release);
    sleeps = sleepers_.lie_down_again(
        self.id, [this] { ask({0, workers() - 1}); },
        [this] { return !roots_.any() && !stopping_.load(std::memory_order_seq_cst) && spare_.waiting() == 0; });
  }
  if (!sleeps) {
    unpark(self.id);
  }
  end_waking();
}

}  // namespace jackdaw::detail
