// What a simulated worker does that has nothing to run: it looks for work, sleeps, and is woken for what others hand
// over, as in src/runtime/threads_idle.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/simulated.hpp"

namespace jackdaw::sim {
namespace {

/// As in the threads engine: a worker that finds nothing keeps looking for this long before it sleeps. Two looks are at
/// least as far apart as a few pause instructions of the processor.
constexpr double search_time = 150'000;  // ns
constexpr double between_looks = 40;     // ns

}  // namespace

/// Looks for something to run. False: found nothing, and the next look is scheduled or the worker sleeps.
bool simulated::look(worker& self) {
  if (self.state == worker::doing::running) {
    self.state = worker::doing::searching;
    self.searches_since = now_;
    greed_.begin_idle(self.id, now_);
    self.waits.begin(now_);
    ++searching_;
  }
  sched::item found = scheduler_.idle(self.id);
  if (!found) found = rescue(self);
  if (found) {
    self.state = worker::doing::running;
    self.counts.beside_work += greed_.end_idle(self.id, now_);
    --searching_;
    pass_on(self);
    enter(self, frame_of(found));
    return true;
  }
  const double looked = std::max(std::exchange(self.spent, 0), between_looks);
  // If it does not get what is in its reach within this time again, it may not take it.
  const double looked_for = now_ - self.searches_since;
  self.in_vain = rescues() && looked_for >= 2 * search_time && !impatient();
  if (looked_for < search_time || (!self.in_vain && in_reach(self))) {
    look_in(looked, self);
    return false;
  }
  ++self.counts.sleeps;
  self.state = worker::doing::asleep;
  ++sleeping_;
  if (--searching_ == 0) {
    // The worker that looked last may have had another scope than those that sleep.
    const auto misses = [&](const worker& each) {
      return each.state == worker::doing::asleep && !each.in_vain && in_reach(each);
    };
    if (const auto one = std::find_if(crew_.begin(), crew_.end(), misses); one != crew_.end()) wake(*one);
    self.spent = 0;  // the call delays only its own sleep
  }
  if (self.in_vain && !anything_in_sight()) self.in_vain = false;  // asleep for good
  if (rescues() && anything_in_sight()) {
    self.watches = true;
    ++watching_;
    act_in(static_cast<double>(self.in_vain ? sched::vigil::between_glances : sched::vigil::between_watches), self);
  }
  return false;
}

/// Takes what waits for other workers, as threads::rescue does.
sched::item simulated::rescue(worker& self) {
  using verdict = sched::vigil::verdict;
  if (!rescues()) return {};
  const double patience = scheduler_.patience();
  const verdict now_is = self.waits.look(now_, patience, [this] { return anything_in_sight(); });
  if (now_is == verdict::leave) return {};
  use(self.id, sched::deque_kind::local);
  const bool insists = now_is == verdict::insist;
  sched::item found = take_placed(self, insists);
  if (!found && insists) {
    found = steal_anywhere(self);
    if (const double waited = self.waits.seen_for(now_);
        !found && waited > sched::vigil::longest(patience) + 10 * sched::vigil::between_looks) {
      throw std::logic_error(
          fmt::format("simulation: worker {} has been idle for {} ns while something waits", self.id, waited));
    }
  }
  if (found) {
    ++self.counts.rescues;
    share_vigil(self);
    scheduler_.rescued(self.id);
  }
  return found;
}

/// As threads::share_vigil.
void simulated::share_vigil(const worker& self) {
  if (impatient()) return;
  for (worker& each : crew_) {
    if (each.state != worker::doing::asleep) continue;
    wake(each);
    each.waits.hear(self.waits.sighted());
  }
}

template <class Try>
sched::item simulated::from_others(const worker& self, Try attempt) {
  for (sched::worker_id step = 1; step < crew_.size(); ++step) {
    for (const sched::worker_id at : {self.id - step, self.id + step}) {
      if (at < crew_.size()) {
        if (const sched::item found = attempt(at)) return found;
      }
    }
  }
  return {};
}

sched::item simulated::take_placed(worker& self, bool insists) {
  const sched::item found = from_others(self, [&](sched::worker_id at) {
    if (!insists && crew_[at].state != worker::doing::running) return sched::item{};
    sched::item taken = collect(at);
    if (taken) self.spent += look_cost(self, crew_[at]);
    for (const sched::pool_id each : crew_[at].pools) {
      if (!taken && !pools_[each].items.empty()) taken = take(self.id, each, sched::pool_end::front);
    }
    return taken;
  });
  if (found) return found;
  for (const sched::pool_id each : guarded_) {
    if (!pools_[each].items.empty()) return take(self.id, each, sched::pool_end::front);
  }
  return {};
}

sched::item simulated::steal_anywhere(worker& self) {
  return from_others(self, [&](sched::worker_id at) {
    for (const sched::deque_kind from : {sched::deque_kind::local, sched::deque_kind::migrated}) {
      if (!crew_[at].lanes[static_cast<std::size_t>(from)].empty()) return steal(self.id, at, from);
    }
    return sched::item{};
  });
}

bool simulated::anything_at(const worker& there) const noexcept {
  return !there.lanes[0].empty() || !there.lanes[1].empty() || there.mailbox ||
         std::any_of(there.pools.begin(), there.pools.end(), [&](auto each) { return !pools_[each].items.empty(); });
}

bool simulated::anything_in_sight() const noexcept {
  return !roots_.empty() ||
         std::any_of(crew_.begin(), crew_.end(), [&](const worker& each) { return anything_at(each); }) ||
         std::any_of(guarded_.begin(), guarded_.end(), [&](auto each) { return !pools_[each].items.empty(); });
}

/// Checks that something waits only for a short time while no worker searches or watches. Those would take it (rescue).
void simulated::check_greed() {
  if (!rescues()) return;
  if (sleeping_ == 0 || searching_ > 0 || watching_ > 0 || !anything_in_sight()) {
    neglected_since_ = 0;
  } else if (neglected_since_ == 0) {
    neglected_since_ = now_;
  } else if (now_ - neglected_since_ > 2 * scheduler_.patience() + search_time) {
    throw std::logic_error(fmt::format("simulation: {} workers sleep while something waits", sleeping_));
  }
}

bool simulated::impatient() const noexcept { return rescues() && !sched::vigil::sleeps(scheduler_.patience()); }

bool simulated::needs_watcher() const noexcept { return rescues() && (impatient() || watching_ == 0); }

/// Whether a worker keeps looking instead of sleeping.
bool simulated::in_reach(const worker& self) const noexcept {
  if (impatient()) return anything_in_sight();
  for (sched::worker_id id = self.scope.first; id <= self.scope.last && id < crew_.size(); ++id) {
    if (anything_at(crew_[id])) return true;
  }
  return self.mailbox || !roots_.empty() || std::any_of(guarded_.begin(), guarded_.end(), [&](sched::pool_id each) {
           return !pools_[each].items.empty() && scheduler_.may_take(self.id, each);
         });
}

/// The worker whose step this is makes a call for each sleeper that it wakes, one after another.
void simulated::wake(worker& sleeper) {
  if (sleeper.state != worker::doing::asleep) return;
  get_up(sleeper);
  double delay = machine_.cost.wake;
  if (acting_ != nullptr) {
    delay += acting_->spent;
    acting_->spent += machine_.cost.of_waker();
  }
  sleeper.searches_since = now_ + delay;
  act_in(delay, sleeper);
}

/// Has an idle worker act, as one that runs, when the worker whose step this is has done what it does. It looks for
/// work again when that is done.
void simulated::call(worker& idle) {
  if (idle.state == worker::doing::asleep) {
    wake(idle);
  } else {
    act_in(acting_ != nullptr ? acting_->spent : 0, idle);
  }
  idle.state = worker::doing::running;
  idle.counts.beside_work += greed_.end_idle(idle.id, now_);
  if (--searching_ == 0 && needs_watcher() && anything_in_sight()) wake_any(idle.id);
}

void simulated::get_up(worker& sleeper) {
  if (std::exchange(sleeper.watches, false)) --watching_;
  sleeper.state = worker::doing::searching;
  --sleeping_;
  ++searching_;
}

template <class Accept>
worker* simulated::wake_nearest(sched::worker_id at, Accept will_do) {
  if (sleeping_ == 0) return nullptr;
  worker* nearest = nullptr;
  for (worker& each : crew_) {
    if (each.state == worker::doing::asleep && will_do(each) &&
        (nearest == nullptr || distance(at, each.id) < distance(at, nearest->id))) {
      nearest = &each;
    }
  }
  if (nearest != nullptr) wake(*nearest);
  return nearest;
}

void simulated::notice(sched::worker_id at) {
  if (searching_ > 0) return;
  wake_nearest(at, [at](const worker& each) { return !each.in_vain && each.scope.contains(at); });
  if (searching_ == 0 && needs_watcher()) wake_any(at);
}

void simulated::have_watched(sched::worker_id at) {
  if (searching_ == 0 && needs_watcher()) wake_any(at);
}

/// Called when a search has found something: wakes other workers to continue it, as sleepers::end_search does.
void simulated::pass_on(const worker& self) {
  const std::int64_t enough = sched::searchers_for(std::int64_t{workers()} - sleeping_ - searching_);
  for (int woken = 0; woken < sched::woken_by_a_find && searching_ < enough && sleeping_ > 0; ++woken) {
    worker* next = wake_nearest(self.id, [&](const worker& each) { return each.scope.contains(self.id); });
    if (next == nullptr) next = wake_any(self.id);
    if (next != nullptr && !impatient()) next->waits.hear(self.waits.sighted());
  }
}

worker* simulated::wake_any(sched::worker_id near) {
  return wake_nearest(near, [](const worker&) { return true; });
}

void simulated::place(const sched::destination& where, frame& what) {
  if (where.where == sched::destination::how::mailbox) {
    post(where.worker, item_of(what));
  } else if (where.where == sched::destination::how::anyone) {
    roots_.push_back(item_of(what));
    ++greed_.waiting();
    if (searching_ == 0) wake_any(0);
  } else {
    put(where.pool, where.end, item_of(what), where.order);
  }
}

void simulated::post(sched::worker_id to, sched::item what) {
  worker& addressee = crew_[to];
  if (addressee.mailbox) throw std::logic_error("simulation: a second task was posted to a full mailbox");
  addressee.mailbox = what;
  ++greed_.waiting();
  const bool sleeps = addressee.state == worker::doing::asleep;
  sleeps ? wake(addressee) : have_watched(to);
}

void simulated::put(sched::pool_id to, sched::pool_end where, sched::item what, std::uint64_t order) {
  pool& into = pools_[to];
  ++into.changes;
  into.items.put(what, where, order);
  ++greed_.waiting();
  if (acting_ != nullptr) {
    const double locked = turn_cost(*acting_, crew_[into.home]);
    acting_->spent += into.users.take(acting_->id, now_, now_ + acting_->spent, locked);
  }
  if (into.to == sched::access::guarded) {
    if (!wake_nearest(into.home, [&](const worker& each) { return scheduler_.may_take(each.id, to); })) {
      have_watched(into.home);
    }
  } else if (worker& home = crew_[into.home]; home.state == worker::doing::asleep) {
    wake(home);
  } else {
    notice(into.home);
  }
}

void simulated::rouse(sched::worker_range range) noexcept {
  bool any = false;
  for (sched::worker_id id = range.first; id <= range.last && id < crew_.size(); ++id) {
    if (crew_[id].state == worker::doing::asleep) {
      crew_[id].scope = range;
      any = true;
    }
  }
  if (any) notice(range.first);
}

}  // namespace jackdaw::sim
