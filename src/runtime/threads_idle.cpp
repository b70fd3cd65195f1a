// What a worker with nothing to run does: it looks, lies down, and is woken. README-sleep.md, README-near.md.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/happens_before.hpp"
#include "runtime/notes.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {
namespace {

using clock = std::chrono::steady_clock;

/// A worker that finds nothing continues to look for this long before it sleeps. To wake a sleeper costs the waker a
/// system call and the sleeper some 50 us, so a shorter time pays only if nothing comes for long.
constexpr auto search_time = std::chrono::microseconds(150);
/// After this long without a find, private entries are taken by force: their owner is in a long leaf.
constexpr auto patience = std::chrono::microseconds(40);
/// After this long without a find, tasks that should run elsewhere are taken. This is about the time to wake a sleeper,
/// so a worker there that is woken for a task is usually not too late. It is less than search_time, so that a worker
/// that was woken for such a task looks for it before it sleeps again.
constexpr auto reserve = std::chrono::microseconds(50);
static_assert(reserve < search_time);
/// Without heavy fences a sleeper may have missed something, so it looks again this often.
constexpr auto doze = std::chrono::milliseconds(5);
/// How many stacks a sleeping worker keeps in each lane.
constexpr std::size_t idle_spares = 4;

void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* limit) noexcept {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation | FUTEX_PRIVATE_FLAG, value, limit, nullptr, 0);
}

}  // namespace

/// The tasks of the worker's own domain come before its deques. What is in the deques is usually older, and a task that
/// waits for a placed child is nearer to its end. A task in the mailbox comes first, because it creates work for
/// others. A task that returns to this thread comes before all, because nobody else can run it.
sched::item threads::look(worker& self) {
  if (const sched::item back = returned(self)) {
    return back;
  }
  if (!self.mailbox.full()) {
    if (const sched::item found = near_.take_own(self.id, roots_.count() > 1)) {
      self.counts.at_home.add();
      taken(self.id, worker_event::source::near, 0, found);
      use(self.id, sched::deque_kind::local);
      return found;
    }
  }
  return scheduler_->idle(self.id);
}

sched::item threads::find(worker& self) {
  if (const sched::item back = returned(self)) {
    return back;
  }
  if (has_to_leave(self)) {
    return {};
  }
  if (is_wanted(self)) {
    lend(self);
  }
  bool turn = std::exchange(self.takes_turn, false);
  const bool shares = self.gives_way.load(std::memory_order_relaxed) || (self.time.contended() && roots_.count() > 1);
  if (!turn && shares && self.has_nothing()) {
    // No task runs here that could give way. If there were something in its deques, that would give way when it forks,
    // and take along what is below.
    self.gives_way.store(false, std::memory_order_relaxed);
    turn = true;
  }
  sched::item found = turn ? take_turn(self) : sched::item{};
  if (!found) {
    // If clients share the worker's time, tasks near memory have a share of their own, and take none from that of its
    // deques.
    found = shares ? scheduler_->idle(self.id) : look(self);
  }
  if (!found) {
    profiler_.read(self.id);  // for readers of what all workers have done
    self.turn_to(worker::doing::searching);
    sleepers_.begin_search();
    tell(self, event_kind::search);
    found = search(self);
    tell(self, event_kind::found);
    profiler_.resume(self.id);
  }
  // A worker begins as one that searches, and may find something at its first look.
  if (found && self.state.load(std::memory_order_relaxed) != worker::doing::running) {
    self.turn_to(worker::doing::running);
  }
  return found;
}

/// The worker counts as searching when this begins, and no longer when it has found something. Empty: the runtime
/// stops, or a client that stands in for the worker's thread gives up.
sched::item threads::search(worker& self) {
  clock::time_point start = clock::now(), lies_down = start + search_time;
  self.waits.begin(now());
  bool anywhere = false, in_vain = false;
  for (unsigned round = 1; !stopping_.load(std::memory_order_relaxed) && !has_served(self); ++round) {
    if (is_wanted(self)) {
      end_search(self);
      lend(self);
      sleepers_.begin_search();
      lies_down = clock::now() + search_time;
    }
    sched::item found = look(self);
    const bool late = !found && std::exchange(anywhere, false);
    if (late) {
      use(self.id, sched::deque_kind::local);
      found = take_near(self, roots_.count() > 1);
    }
    self.forcing = false;
    if (found) {
      end_search(self);
      return found;
    }
    const bool leaves = (late || urgency_ != priority::high) && is_wanted_elsewhere(self);
    if (!crowded_ && round % 32 != 0 && !leaves) {
      for (unsigned i = 0; i < 8; ++i) {
        hardware::pause();
      }
      continue;
    }
    if (crowded_) {
      hardware::yield();
    }
    // With thousands of workers a look at all of them takes longer than all else in a round.
    if (const sched::item left = round % looks_around_ == 0 ? rescue(self) : sched::item{}) {
      self.forcing = false;
      self.counts.rescues.add();
      tell(self, event_kind::rescue);
      scheduler_->rescued(self.id);
      share_vigil(self);
      end_search(self);
      return left;
    }
    const clock::time_point now = clock::now();
    self.forcing = now - start > patience;
    anywhere = now - start > reserve;
    if (now > lies_down || leaves || (anywhere && !in_vain && spare_.waiting() > 0)) {
      if (self.serves != nullptr) {
        return {};
      }
      const after_nap then = nap(self, in_vain && !impatient());
      if (then == after_nap::leaves) {
        return {};
      }
      if (then != after_nap::stayed_awake && is_wanted_elsewhere(self)) {
        // It could not lie down for good, as without the kernel's barrier. Another thread goes on looking.
        end_search(self);
        return {};
      }
      if (then == after_nap::woken) {
        start = clock::now();
        anywhere = false;
      }
      if (then != after_nap::looks_up) {
        lies_down = clock::now() + search_time;
        in_vain = then == after_nap::stayed_awake;
      }
      self.forcing = true;
    }
  }
  return {};
}

// ---- what waits for others ----------------------------------------------------------------------------------------

sched::item threads::rescue(worker& self) {
  using verdict = sched::vigil::verdict;
  if (!rescues_) {
    return {};
  }
  const verdict now_is = self.waits.look(now(), patience_now(), [this] { return anything_in_sight(); });
  if (now_is == verdict::leave) {
    return {};
  }
  use(self.id, sched::deque_kind::local);
  const bool insists = now_is == verdict::insist;
  const sched::item found = take_placed(self, insists);
  return found || !insists ? found : steal_anywhere(self);
}

/// A worker whose long patience is over wakes all sleepers: what is left may have waited beside them for as long.
void threads::share_vigil(const worker& self) noexcept {
  if (impatient()) {
    return;  // then no worker sleeps while anything waits
  }
  for (std::uint32_t who = 0; who < workers(); ++who) {
    if (sleepers_.rise(who)) {
      workers_[who]->heard = self.waits.sighted();
      unpark(who);
    }
  }
}

bool threads::anything_in_sight() const noexcept {
  return anything_placed() || std::any_of(workers_.begin(), workers_.end(), [](const auto& each) {
           return !each->lanes[0].deque.seems_empty() || !each->lanes[1].deque.seems_empty();
         });
}

/// Whether anything is in mailboxes or pools.
bool threads::anything_placed() const noexcept {
  return anything_guarded() ||
         std::any_of(workers_.begin(), workers_.end(), [&](const auto& each) { return anything_placed(*each); });
}

/// Whether a suspended task's rest is in some deque, perhaps below what another root does there. A hint.
bool threads::rests_in_deques() const noexcept {
  std::uint64_t exposed = 0, taken = 0;
  for (const auto& each : workers_) {
    exposed += each->rests_exposed.get();
    taken += each->rests_taken.get();
  }
  return exposed != taken;
}

bool threads::anything_guarded() const noexcept {
  return std::any_of(guarded_.begin(), guarded_.end(),
                     [&](sched::pool_id each) { return pools_[each]->size.load(std::memory_order_seq_cst) != 0; });
}

/// The same at one worker. The sizes are read sequentially consistently, because a worker that lies down looks at them
/// after it has set its bit.
bool threads::anything_placed(const worker& at) const noexcept {
  return at.mailbox.full() || std::any_of(at.pools.begin(), at.pools.end(), [&](sched::pool_id each) {
           return pools_[each]->size.load(std::memory_order_seq_cst) != 0;
         });
}

/// Tries the other workers, the nearest first; adjacent numbers are near.
template <class Try>
sched::item threads::from_others(const worker& self, Try attempt) noexcept {
  for (std::uint32_t step = 1; step < workers(); ++step) {
    for (const std::uint32_t at : {self.id - step, self.id + step}) {
      if (at < workers()) {
        if (const sched::item found = attempt(at)) {
          return found;
        }
      }
    }
  }
  return {};
}

/// Takes for `self` what is in that worker's mailbox or pools.
sched::item threads::take_placed_with(worker& self, worker& there) noexcept {
  sched::item found = taken(self.id, worker_event::source::mailbox, there.id, there.mailbox.collect());
  if (found) {
    (self.id == there.id ? self.counts.at_home : self.counts.away).add();
  }
  for (const sched::pool_id each : there.pools) {
    if (!found) {
      found = take(self.id, each, sched::pool_end::front);
    }
  }
  return found;
}

/// Takes what was placed with others. A worker that runs nothing is about to take what it was handed, so it is taken
/// from only if `insists`.
sched::item threads::take_placed(worker& self, bool insists) noexcept {
  const sched::item found = from_others(self, [&](std::uint32_t at) {
    worker& there = *workers_[at];
    if (!insists && there.state.load(std::memory_order_relaxed) != worker::doing::running) {
      return sched::item{};
    }
    return take_placed_with(self, there);
  });
  if (found) {
    return found;
  }
  for (const sched::pool_id each : guarded_) {
    if (const sched::item waited = take(self.id, each, sched::pool_end::front)) {
      return waited;
    }
  }
  return {};
}

sched::item threads::steal_anywhere(worker& self) noexcept {
  self.forcing = true;
  return from_others(self, [&](std::uint32_t at) {
    const sched::item found = steal(self.id, at, sched::deque_kind::local);
    return found ? found : steal(self.id, at, sched::deque_kind::migrated);
  });
}

// ---- sleeping and waking ------------------------------------------------------------------------------------------

/// Sleeps, unless there is something in reach after all. On return the worker is searching again. `in_vain`: it has
/// stayed awake for something in reach before, and did not get it. Then its scope is empty, so that it neither keeps a
/// processor from others nor counts as a searcher that would find what comes; it looks up soon.
threads::after_nap threads::nap(worker& self, bool in_vain) {
  using rest = decltype(sleepers_)::rest;
  const sched::worker_range all{0, workers() - 1}, none{1, 0}, scope = sleepers_.scope(self.id);
  if (in_vain) {
    sleepers_.set_scope(self.id, none);
  }
  self.heard = 0;
  self.parked.store(worker::closed, std::memory_order_relaxed);
  rest outcome = sleepers_.lie_down(
      self.id, impatient() ? all : sleepers_.scope(self.id), [&] { ask(all); },
      [&](std::uint32_t at) { return (at == self.id && wanted(self)) || in_sight(at); },
      [this](std::uint32_t who) { unpark(who); });
  after_nap then = after_nap::stayed_awake;
  if (outcome == rest::awake) {
    self.parked.store(worker::own, std::memory_order_relaxed);
  } else {
    if (outcome != rest::doze) {
      // If something guarded is there, the worker may not take it now; otherwise it would be awake.
      outcome = rescues_ && (outcome == rest::watch || anything_guarded()) ? rest::watch : rest::sleep;
    }
    self.counts.sleeps.add();
    self.turn_to(worker::doing::asleep);
    const bool watches = outcome == rest::watch;
    if (watches) {
      sleepers_.begin_watch();
    }
    // Without the kernel's barrier it may have missed something, but nothing of a root that begins later: that starts
    // with a fence.
    if (host_ != nullptr && !in_vain && (outcome == rest::sleep || (outcome == rest::doze && !roots_.any()))) {
      self.lies_down = true;
      return after_nap::leaves;
    }
    const std::chrono::nanoseconds until_it_looks_up(in_vain ? sched::vigil::between_glances
                                                             : sched::vigil::between_watches);
    if (watches || in_vain) {
      wake_spare(self.id);  // it stays at home
    }
    // Without a scope it is not woken for what it could take, so it does not sleep for long.
    const bool gets_up = outcome != rest::sleep || in_vain;
    tell(self, event_kind::sleep);
    const bool woken = sleep(self,
                             !gets_up                ? std::chrono::nanoseconds::max()
                             : outcome == rest::doze ? std::chrono::nanoseconds(doze)
                                                     : until_it_looks_up,
                             !watches && !in_vain);
    tell(self, event_kind::wake);
    if (woken) {
      self.waits.hear(self.heard);
    }
    then = watches && !woken ? after_nap::looks_up : after_nap::woken;
    if (watches) {
      sleepers_.end_watch();
    }
    self.turn_to(worker::doing::searching);
  }
  if (in_vain && sleepers_.scope(self.id).first > sleepers_.scope(self.id).last) {
    sleepers_.set_scope(self.id, scope);  // otherwise rouse() has given it another one
  }
  return then;
}

/// Sleeps until woken, or for `most`. False: no worker has woken it. A worker that gets up by itself never opens its
/// place: a client there would not know of it. `may_go`: the thread may be in an arena of low priority meanwhile.
bool threads::sleep(worker& self, std::chrono::nanoseconds most, bool may_go) {
  std::atomic<std::uint32_t>& seat = self.parked;
  const auto is_parked = [&seat] { return seat.load(std::memory_order_relaxed) != worker::own; };
  // Release: a client that stands in sees all that this thread has done. Fails if the worker has been woken.
  const auto change = [&seat](std::uint32_t from, std::uint32_t to) {
    return seat.compare_exchange_strong(from, to, std::memory_order_acq_rel, std::memory_order_relaxed);
  };
  const bool gets_up = most != std::chrono::nanoseconds::max();
  if (!gets_up) {
    releases(&seat);
    change(worker::closed, worker::open);
  }
  bool rested = false;
  for (std::uint32_t is; (is = seat.load(std::memory_order_acquire)) != worker::own; rested = true) {
    if (may_go && is != worker::lent && spare_.waiting() > 0) {
      run_errand(self);
    } else {
      // A sleeper that is not woken for a while gives spare stacks back.
      const bool tidies = !rested || fibers_.surplus();
      const timespec limit{0, gets_up ? most.count() : std::chrono::nanoseconds(fiber_pool::period).count()};
      futex(seat, FUTEX_WAIT, is, gets_up || tidies ? &limit : nullptr);
    }
    if (gets_up && is_parked()) {
      self.shed(idle_spares);
    } else if (change(worker::open, worker::closed)) {
      self.shed(idle_spares);
      change(worker::closed, worker::open);
    }
    while (is_parked() && fibers_.trim()) {
    }
    if (gets_up && is_parked() && sleepers_.get_up(self.id)) {
      seat.store(worker::own, std::memory_order_relaxed);
      return false;
    }
  }
  acquires(&seat);
  return true;
}

/// Whether a worker that waits for what was placed with others, within its reach, looks for it rather than sleeps.
bool threads::impatient() const noexcept { return rescues_ && !sched::vigil::sleeps(patience_now()); }

/// A worker of an arena, or one whose thread is in an arena, may not come to what was placed with it for long.
double threads::patience_now() const noexcept {
  const double patience = scheduler_->patience();
  const bool some_are_away = host_ != nullptr || away_.load(std::memory_order_relaxed) != 0;
  return some_are_away ? std::min(patience, sched::scheduler::usual_patience) : patience;
}

void threads::unpark(std::uint32_t who) noexcept {
  std::atomic<std::uint32_t>& word = workers_[who]->parked;
  // Acquire too: in an arena what the last thread in the place has done goes to the next one by way of the caller.
  const std::uint32_t was = word.exchange(worker::own, std::memory_order_acq_rel);
  if (host_ != nullptr && (was == worker::open || was == worker::lent)) {
    call_for_thread(*workers_[who]);
  } else if (!call_home(*workers_[who])) {
    futex(word, FUTEX_WAKE, 1, nullptr);
  }
}

void threads::notice(std::uint32_t at) noexcept {
  hardware::full_fence();
  if (const std::uint32_t who = sleepers_.notice(at, needs_watcher()); who != sleepers_.none) {
    unpark(who);
  }
}

void threads::have_watched(std::uint32_t at) noexcept {
  hardware::full_fence();
  if (!needs_watcher()) {
    return;
  }
  if (const std::uint32_t who = sleepers_.notice(at, true); who != sleepers_.none) {
    unpark(who);
  }
}

/// Whether a worker must be awake, or wake from time to time, to look after what is out of all scopes.
bool threads::needs_watcher() const noexcept { return rescues_ && (impatient() || !sleepers_.anyone_watches()); }

void threads::ask(sched::worker_range range) noexcept {
  for (std::uint32_t id = range.first; id <= range.last && id < workers(); ++id) {
    for (lane& each : workers_[id]->lanes) {
      each.deque.ask();
    }
  }
}

bool threads::wanted(const worker& self) const noexcept {
  if (stopping_.load(std::memory_order_seq_cst) || self.mailbox.full() || self.returns.waiting() > 0 ||
      clients_.waiting() > 0 || waiting() > 0) {
    return true;
  }
  return std::any_of(guarded_.begin(), guarded_.end(), [&](sched::pool_id each) {
    return pools_[each]->size.load(std::memory_order_seq_cst) != 0 && (impatient() || may_take(self.id, each));
  });
}

bool threads::in_sight(std::uint32_t at) const noexcept {
  const worker& there = *workers_[at];
  return !there.lanes[0].deque.seems_empty() || !there.lanes[1].deque.seems_empty() || anything_placed(there);
}

}  // namespace jackdaw::detail
