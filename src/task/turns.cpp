// Roots: how they come in, how they are waited for, and how they share workers that are all busy. README-roots.md.
#include <algorithm>
#include <chrono>
#include <utility>

#include "jackdaw/detail/root.hpp"
#include "task/moving.hpp"
#include "task/threads.hpp"

namespace jackdaw::detail {
namespace {

using clock = std::chrono::steady_clock;

/// A root that has waited for this long gets a turn.
constexpr auto turn_after = std::chrono::milliseconds(1);
/// Where tasks move at forks. About what it takes to wake a sleeper.
constexpr auto left_for_others = std::chrono::microseconds(50);

std::int64_t since_start(clock::time_point when) noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch()).count();
}

}  // namespace

void threads::send(root& task) {
  auto upper = std::make_unique<sched::upper_task>();
  const sched::placement where = scheduler_->root(*upper);
  task.searching = where.as == sched::tier::upper;
  task.upper = upper.release();
  if (task.waited_in != nullptr) {
    pacer_.begin();
  }
  place(where, item_of(&task), task.turn);
}

void threads::queue(queued& place, sched::item what) noexcept {
  run_queue_.put(place, what, since_start(clock::now()));
  wake_for_queued();
}

void threads::requeue(fiber* rest) noexcept { queue(rest->turn, item_of(rest)); }

void root::begin() noexcept { begun_.store(true, std::memory_order_relaxed); }

void root::end() {
  if (threads* const home = waited_in) {
    // Once its task goes on, that engine may end: not before this has left it.
    home->begin_waking();
    if (fiber* const waiting = joint_.settle(decltype(joint_)::result::ended)) {
      home->requeue(waiting);
    }
    home->end_waking();
    return;
  }
  const std::lock_guard hold(mutex_);
  done_ = true;
  ended_.notify_one();
}

/// Clients that wait ask, so that as many workers look up in a millisecond as roots wait. A root that has begun may wait for
/// nothing but a task that was placed, or that has a wish, and that nobody has come for; or its task may lie in a deque
/// below what another root does there.
void threads::let_take_turns(bool begun) noexcept {
  if (roots_.count() <= 1 || sleepers_.anyone_idle()) {
    return;  // nobody to share with, or one who comes by itself
  }
  const bool left = (rescues_ && anything_placed()) || near_.waiting() > 0 || rests_in_deques();
  if (begun && !left && !run_queue_.waits_since(since_start(clock::now() - turn_after))) {
    return;
  }
  worker& next = *workers_[turn_.fetch_add(1, std::memory_order_relaxed) % workers()];
  next.gives_way.store(true, std::memory_order_relaxed);
  for (lane& each : next.lanes) {
    each.deque.summon();  // release: whoever answers sees the line above
  }
}

/// How soon the client of a root looks again. All of them together ask each worker once in a millisecond: more would learn
/// no more and take the processors from those they wait for. A client that is alone looks seldom: who comes later does, if
/// it can.
std::chrono::milliseconds threads::between_looks(bool begun) const noexcept {
  const std::uint32_t roots = roots_.count();
  return std::chrono::milliseconds(roots <= 1 && begun ? 10 : std::clamp(roots / workers(), 1u, 50u));
}

/// A task has given way, and has taken along what was in its lane's deque; or one has ended or waits, and this worker's
/// deques are empty. Two kinds come in turn: what has waited in the queue for long; and what is left in this worker's deques
/// (from when a task made way for one in the mailbox), waits near some memory, or is placed with busy workers. Tasks that
/// give way to one another are always in the queue for long, so the first kind alone would starve the second.
sched::item threads::take_turn(worker& self) noexcept {
  if (moving() && workers() > 1) {
    // The task that has just left is for another worker, if one comes for it before long.
    const clock::time_point start = clock::now();
    while (run_queue_.waiting() > 0 && clock::now() - start < left_for_others) {
      hardware::yield();
    }
  }
  const bool long_queue = run_queue_.waits_since(since_start(clock::now() - turn_after));
  if (!long_queue || std::exchange(self.took_queued, false)) {
    for (const sched::lane each : {sched::lane::migrated, sched::lane::local}) {
      use(self.id, each);
      if (const sched::item left = pop(self.id, each)) {
        return left;
      }
    }
    if (const sched::item found = near_.take_any(self.id)) {
      return found;
    }
    if (rescues_) {
      if (const sched::item found = take_placed(self, false)) {
        return found;
      }
    }
  }
  use(self.id, sched::lane::local);
  self.took_queued = true;
  return run_queue_.take();
}

}  // namespace jackdaw::detail
