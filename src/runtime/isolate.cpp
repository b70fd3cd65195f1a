#include "jackdaw/isolate.hpp"

#include <chrono>
#include <utility>

#include "base/happens_before.hpp"
#include "jackdaw/runtime.hpp"
#include "runtime/runtime_access.hpp"
#include "runtime/threads.hpp"
#include "runtime/uncancelled.hpp"

// An isolated task has an arena for itself, and the calling worker's thread is a client of that. README-arena.md.
namespace jackdaw::detail {

void run_isolated(root& task) {
  worker* const caller = this_worker();
  if (caller == nullptr) {
    runtime_access::run(runtime::instance(), task);
  } else if (caller->never_suspends() || caller->home.recorder() != nullptr) {
    task.run();  // all that it forks runs in its place
  } else {
    caller->home.isolate(*caller, task);
  }
}

/// Returns an arena that nobody else uses.
std::unique_ptr<threads> threads::place_apart(const worker& of) {
  {
    const std::lock_guard hold(apart_mutex_);
    for (auto each = apart_.begin(); each != apart_.end(); ++each) {
      if ((*each)->workers() == workers() || (*each)->places_.front().core == places_[of.id].core) {
        std::unique_ptr<threads> found = std::move(*each);
        apart_.erase(each);
        return found;
      }
    }
  }
  std::vector<worker_place> places = is_limited() ? std::vector{places_[of.id]} : places_;
  std::unique_ptr<sched::scheduler> how =
      sched::make_scheduler(scheduler_->needs_own_threads() ? "adws" : scheduler_->name());
  {
    const std::lock_guard hold(apart_mutex_);
    apart_.reserve(++made_apart_);
  }
  return std::make_unique<threads>(std::move(how), where_, std::move(places), fibers_.stack_size(), nullptr,
                                   profile::thread_samples(), profile::this_kernel(), nullptr, nullptr,
                                   hosted{host_ != nullptr ? host_ : this, urgency_, this});
}

void threads::isolate(const worker& of, root& task) {
  if (apart_of_ != nullptr && !is_limited()) {
    apart_of_->isolate(of, task);
    return;
  }
  std::unique_ptr<threads> apart = place_apart(of);
  const uncancelled until_it_has_ended;
  apart->run_apart(task);
  const std::lock_guard hold(apart_mutex_);  // there is room for all that have been made
  apart_.push_back(std::move(apart));
}

/// The calling thread is one of the host's. It waits for the task, which is the engine's only root, and runs what there
/// is to do, also when no other thread of the host can come.
void threads::run_apart(root& task) {
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
    for (auto each = workers_.begin(); place == nullptr && each != workers_.end(); ++each) {
      if (take_vacant(**each)) {
        place = each->get();
      }
    }
  }
  acquires(&task);
}

}  // namespace jackdaw::detail
