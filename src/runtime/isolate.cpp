#include "jackdaw/isolate.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/happens_before.hpp"
#include "jackdaw/detail/task_slot.hpp"
#include "jackdaw/runtime.hpp"
#include "runtime/runtime_access.hpp"
#include "runtime/standstill.hpp"
#include "runtime/threads.hpp"
#include "runtime/uncancelled.hpp"

// An isolated task has an arena for itself, and the calling worker's thread is a client of that. README-arena.md.
namespace jackdaw::detail {
namespace {

/// As many places as this take some gigabytes of addresses, and some megabytes of memory.
constexpr std::size_t most_places_apart = 256;

std::atomic<std::uint64_t> last_isolation{0};

}  // namespace

void run_isolated(root& task) {
  worker* const caller = this_worker();
  if (caller == nullptr) {
    runtime_access::isolate(runtime::instance(), task);
  } else if (caller->never_suspends() || caller->home.recorder() != nullptr) {
    task.run();  // all that it forks runs in its place
  } else {
    caller->home.isolate(caller, task);
  }
}

/// A thread that runs an isolated task has the place that it has come from.
thread_seat seat_of_thread() noexcept {
  const worker* at = this_worker();
  if (at == nullptr) return {};
  while (const threads* const of = at->home.apart_of()) {
    at = at->home.stands_for() != sched::none ? &of->place_of(at->home.stands_for()) : at->around;
    if (at == nullptr) return {};  // it has isolated the task outside of tasks
  }
  return {at->id, at->home.workers()};
}

/// Returns the worker whose core the calling thread, which is no worker, is on; if there is none, the first worker.
std::uint32_t threads::nearest_to_caller() const noexcept {
  const auto cpu = static_cast<unsigned>(sched_getcpu());
  const auto found = std::find_if(places_.begin(), places_.end(), [&](const worker_place& each) {
    const std::vector<unsigned>& on = where_.cores[each.core].os_cpus;
    return std::find(on.begin(), on.end(), cpu) != on.end();
  });
  return found != places_.end() ? static_cast<std::uint32_t>(found - places_.begin()) : 0;
}

/// Returns an arena near that worker that nobody else uses. It has a place for each worker, as long as all of them
/// together do not have too many; otherwise one.
std::unique_ptr<threads> threads::place_apart(std::uint32_t who, bool alone) {
  const unsigned node = places_[who].numa_node;
  bool all = !is_limited() && !alone;
  {
    const std::lock_guard hold(apart_mutex_);
    for (auto each = apart_.rbegin(); each != apart_.rend(); ++each) {
      if ((*each)->is_busy()) continue;
      const bool has_all = (*each)->workers() == workers();
      if (alone ? (*each)->workers() == 1 && (*each)->places_.front().numa_node == node
                : has_all || (*each)->places_.front().numa_node == node) {
        std::unique_ptr<threads> found = std::move(*each);
        apart_.erase(std::next(each).base());
        return found;
      }
    }
    all = all && places_apart_ + workers() <= std::max<std::size_t>(most_places_apart, workers());
    apart_.reserve(++made_apart_);
    places_apart_ += all ? workers() : 1;
  }
  if (all) {
    try {
      return make_apart(places_);
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): perhaps there is enough for one place
    }
  }
  return make_apart({places_[who]});
}

/// Whether what its isolated tasks have left, which nobody waited for, is still there. It must not run under the next
/// one. That is exact: the caller sees what the tasks before have put, as they have ended. Of an entry that has not
/// ended, take the first of its ancestors whose end is not in the sum. Its parent's end is (acquired), or the parent
/// was such a task: so its own put is seen, too.
bool threads::is_busy() const noexcept {
  std::uint64_t ended = 0, put = 0;
  for (const auto& each : workers_) {
    ended += each->loose_ended.get_acquire();
  }
  for (const auto& each : workers_) {
    put += each->loose_put.get();
  }
  return put != ended;
}

/// With a scheduler that lets any place take what waits at another one.
std::unique_ptr<threads> threads::make_apart(std::vector<worker_place> places) {
  const bool fits = !scheduler_->needs_own_threads() && rescues_;
  return std::make_unique<threads>(sched::make_scheduler(fits ? scheduler_->name() : "adws"), where_, std::move(places),
                                   fibers_.stack_size(), nullptr, profile::thread_samples(), profile::this_kernel(),
                                   nullptr, nullptr, hosted{host_ != nullptr ? host_ : this, urgency_, this});
}

void threads::isolate(const worker* of, root& task, bool alone) {
  if (apart_of_ != nullptr && !is_limited()) {
    apart_of_->isolate(of, task, alone);
    return;
  }
  const uncancelled meanwhile;
  struct until_it_has_ended {
    ~until_it_has_ended() {
      const std::lock_guard hold(by.apart_mutex_);  // there is room for all that have been made
      by.apart_.push_back(std::move(apart));
    }
    threads& by;
    std::unique_ptr<threads> apart;
  } const used{*this, place_apart(of != nullptr ? of->id : nearest_to_caller(), alone)};
  used.apart->isolation_ = last_isolation.fetch_add(1, std::memory_order_relaxed) + 1;
  used.apart->stands_for_ = of != nullptr && used.apart->workers() == 1 ? of->id : sched::none;
  used.apart->run_apart(task);
}

/// The calling thread is one of the host's. It waits for the task, which is the engine's only root, and runs what there
/// is to do, also when no other thread of the host can come.
void threads::run_apart(root& task) {
  // The worker that has ended the last root says so before it counts it as ended.
  for (unsigned i = 0; i < 100 && roots_.any(); ++i) {
    hardware::pause();
  }
  client here(*this, task, client::apart());
  roots_.begin();
  worker* place = nullptr;
  try {
    place = send(task, true);
  } catch (...) {
    roots_.end();
    throw;
  }
  for (;;) {
    if (place != nullptr) {
      stand_in(*std::exchange(place, nullptr), here);
    }
    if (here.wait(std::chrono::milliseconds(1))) {
      break;
    }
    let_take_turns(task.begun());
    place = take_vacant();
  }
  let_go(here);
  acquires(&task);
}

/// The client's root has ended. If what is tied to the thread could not follow it (ties_that_follow), it waits until
/// nothing is: nobody could call it, or it would not come.
void threads::let_go(client& one) noexcept {
  const bool may_go = one.ties != &one.own_ties;
  one.lingers = holds_threads_ || !may_go;
  standstill stands(*host_, *one.ties);
  for (;;) {
    while (!one.wait(std::chrono::milliseconds(1))) {
      let_take_turns(true);
      if (may_go && stands.is_long()) one.lingers = false;
      if (worker* const place = take_vacant()) {
        stand_in(*place, one);
      }
    }
    // As long as the thread is known to be here, tasks are sent here. What they run may be tied to it in its turn.
    if (clients_.remove_idle(one)) break;
    step_in(one);
  }
  one.thread = nullptr;
  end_waking();
}

/// The engine may have other roots and other threads in all its places.
void threads::join(root& task) {
  const uncancelled meanwhile;
  client here(*this, task, client::member());
  roots_.begin();
  try {
    send(task, false);
  } catch (...) {
    roots_.end();
    throw;
  }
  do {
    worker* place = task.ended() ? nullptr : take_vacant();
    for (auto each = workers_.begin(); place == nullptr && !task.ended() && each != workers_.end(); ++each) {
      place = borrow(**each) ? each->get() : nullptr;
    }
    if (place != nullptr) {
      stand_in(*place, here);
    }
    let_take_turns(task.begun());
  } while (!here.wait(std::chrono::milliseconds(1)));
  let_go(here);
  acquires(&task);
}

}  // namespace jackdaw::detail
