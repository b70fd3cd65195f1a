// Roots: how they are sent, how clients wait for them, and how they share workers that are all busy. README-roots.md.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <utility>

#include "jackdaw/detail/root.hpp"
#include "runtime/moving.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {
namespace {

using clock = std::chrono::steady_clock;

/// A root that has waited for this long gets a turn.
constexpr auto turn_after = std::chrono::milliseconds(1);
/// New roots make workers look up no more often than this.
constexpr auto between_new = std::chrono::nanoseconds(std::chrono::microseconds(100));
/// If tasks move at forks, a moved task is left to others for this long. About the time to wake a sleeper.
constexpr auto left_for_others = std::chrono::microseconds(50);

std::int64_t since_start(clock::time_point when) noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch()).count();
}

}  // namespace

worker* threads::send(root& task, bool waits) {
  auto upper = std::make_unique<sched::upper_task>();
  const sched::destination where = scheduler_->root(*upper);
  task.searching = where.as == sched::tier::upper;
  task.upper = upper.release();
  if (task.unattended) {
    pacer_.begin();
  }
  worker* const lent = waits ? borrow(where) : nullptr;
  if (lent != nullptr && where.where != sched::destination::how::pool) {
    // Neither through the queue, from which a searcher that is faster would take it to another core, nor through the
    // mailbox, which others would have to watch. The client collects it at once.
    if (where.where == sched::destination::how::mailbox) {
      lent->counts.at_home.add();
    }
    use(lent->id, sched::deque_kind::local);
    lent->set_next(item_of(&task));
    return lent;
  }
  place(where, item_of(&task), task.turn);
  if (lent == nullptr) {
    ask_for_new_root();  // at once: the root may be short. It may have ended by now, so nothing here touches it.
  }
  return lent;
}

void threads::put_now(run_queue& into, queued& place, sched::item what) noexcept {
  into.put(place, what, since_start(clock::now()));
}

/// Whether something has been there for long.
bool threads::is_overdue(const run_queue& which) const noexcept {
  return which.waits_since(since_start(clock::now() - turn_after));
}

void threads::queue(queued& place, sched::item what) noexcept {
  put_now(run_queue_, place, what);
  wake_for_queued();
}

void threads::let_rest(fiber* task) noexcept {
  if (pacer_.begin()) {
    put_now(resting_, task->turn, item_of(task));
  } else {
    pacer_.end();
    requeue(task);
  }
}

bool threads::rouse_resting() noexcept {
  bool any = false;
  for (std::int64_t left = resting_.waiting(); left > 0; --left) {
    if (const sched::item one = resting_.take()) {
      pacer_.end();
      requeue(reinterpret_cast<fiber*>(one.handle()));
      any = true;
    }
  }
  return any;
}

void threads::requeue(fiber* rest) noexcept { queue(rest->turn, item_of(rest)); }

/// Called by waiting clients, so in each millisecond as many workers look up as roots wait. A root that has begun may
/// be waiting only for a placed task, or one with a wish, that no worker has taken yet. Or its task may be in a deque
/// below what another root does there.
void threads::let_take_turns(bool begun) noexcept {
  if (host_ != nullptr) {
    host_->let_take_turns(begun);  // its threads may not have come to the arena yet
  }
  look_after_spare();
  if (!has_other_roots()) {
    return;
  }
  if (!is_overdue(run_queue_) && !is_overdue(urgent_)) {
    if (sleepers_.anyone_idle()) {
      return;  // an idle worker comes by itself; it did not if the queue's first entry has been there for so long
    }
    const auto left = [this] { return (rescues_ && anything_placed()) || near_.waiting() > 0 || rests_in_deques(); };
    if (begun && !left()) {
      return;
    }
  }
  ask_next();
}

/// A root was sent. Many of them ask seldom: each look-up costs its worker a turn.
void threads::ask_for_new_root() noexcept {
  if (roots_.count() <= 1 || sleepers_.anyone_idle()) {
    return;
  }
  const std::int64_t now = since_start(clock::now());
  // Relaxed, both: a limit of how often. Of several clients at the same time one asks.
  std::int64_t last = asked_for_new_.load(std::memory_order_relaxed);
  if (now - last >= between_new.count() &&
      asked_for_new_.compare_exchange_strong(last, now, std::memory_order_relaxed)) {
    ask_next();
  }
}

/// Not a worker whose thread is where it is needed more.
void threads::ask_next() noexcept {
  const bool urgent = urgent_.waiting() > 0;
  for (std::uint32_t tried = 0; tried < workers(); ++tried) {
    worker& next = *workers_[turn_.fetch_add(1, std::memory_order_relaxed) % workers()];
    if (urgent || next.away_for.load(std::memory_order_relaxed) != priority::high) {
      hurry(next);
      return;
    }
  }
}

/// Returns how soon the client of a root looks again. All clients together ask each worker once in a millisecond. More
/// questions would tell no more, and would take the processors from the roots. A client that is alone looks seldom: one
/// that comes later asks, if it can.
std::chrono::milliseconds threads::between_looks(bool begun) const noexcept {
  const std::uint32_t roots = roots_.count();
  return std::chrono::milliseconds(roots <= 1 && begun ? 10 : std::clamp(roots / workers(), 1u, 50u));
}

/// Returns the weights of what waits, by kind. A root that is neither in the queue nor under way on some worker waits
/// for one of the other kinds.
shares::weights threads::what_waits(const worker& self) const noexcept {
  const std::int64_t queued = run_queue_.waiting();
  shares::weights of{};
  of[shares::queued] = static_cast<std::uint32_t>(queued);
  of[shares::rests] = !self.has_nothing();
  of[shares::wishes] = near_.waiting() > 0;
  of[shares::placed] = rescues_ && anything_placed();
  const std::uint32_t others = of[shares::rests] + of[shares::wishes] + of[shares::placed];
  if (others != 0) {
    const std::int64_t roots = std::int64_t{roots_.count()} - queued - workers();
    const auto each = static_cast<std::uint32_t>(std::max<std::int64_t>(roots / others, 1));
    for (const shares::kind kind : {shares::rests, shares::wishes, shares::placed}) {
      of[kind] *= each;
    }
  }
  return of;
}

sched::item threads::take(worker& self, shares::kind which) noexcept {
  use(self.id, sched::deque_kind::local);
  switch (which) {
    case shares::queued:
      return next_root(self.id);
    case shares::wishes:
      return take_near(self, true);
    case shares::placed: {
      const sched::item own = take_placed_with(self, self);
      return own ? own : take_placed(self, false);
    }
    case shares::rests:
      for (const sched::deque_kind each : {sched::deque_kind::migrated, sched::deque_kind::local}) {
        use(self.id, each);
        if (const sched::item left = pop(self.id, each)) {
          return left;
        }
      }
  }
  return {};
}

/// Takes what comes next. Either a task has given way and has taken along what was in its lane's deque; or a task has
/// ended or waits, and this worker's deques are empty.
sched::item threads::take_turn(worker& self) noexcept {
  if (moving() && workers() > 1) {
    // The task that has just left is for another worker, if one comes for it soon.
    const clock::time_point start = clock::now();
    while (run_queue_.waiting() > 0 && clock::now() - start < left_for_others) {
      hardware::yield();
    }
  }
  if (const sched::item first = taken(self.id, worker_event::source::queue, 0, urgent_.take())) {
    use(self.id, sched::deque_kind::local);
    return first;
  }
  shares::weights of = what_waits(self);
  const bool contended = std::count(of.begin(), of.end(), 0u) + 1 < std::ssize(of);
  sched::item found;
  while (!found && of != shares::weights{}) {
    const shares::kind next = self.time.next(of, since_start(clock::now()));
    found = take(self, next);
    of[next] = 0;  // it had nothing, if there is another round
  }
  if (!contended || !found) {
    self.time.end();
  }
  return found;
}

}  // namespace jackdaw::detail
