#include "jackdaw/semaphore.hpp"

#include <condition_variable>

#include "base/happens_before.hpp"
#include "runtime/fatal.hpp"
#include "runtime/process.hpp"
#include "runtime/threads.hpp"
#include "runtime/uncancelled.hpp"

namespace jackdaw {

/// On the stack of the task or thread that waits, until it has been given a slot.
struct semaphore::waiter {
  waiter* next = nullptr;
  detail::fiber* task = nullptr;     // null: a thread
  detail::threads* home = nullptr;   // the task's engine
  bool has_slot = false;             // guarded by the mutex
  std::condition_variable got_slot;  // where the thread waits
};

semaphore::~semaphore() {
  const std::lock_guard hold(mutex_);
  if (first_ != nullptr && !detail::process::exiting()) {
    detail::end_for("a semaphore was destroyed while a task or thread waited for a slot");
  }
}

/// Called with the mutex. Takes a slot, or enters the queue. False: it has entered.
bool semaphore::take(waiter* otherwise) noexcept {
  if (free_ > 0) {
    --free_;
    return true;
  }
  if (otherwise != nullptr) {
    *last_ = otherwise;
    last_ = &otherwise->next;
  }
  return false;
}

bool semaphore::try_acquire() noexcept {
  const std::lock_guard hold(mutex_);
  const bool has = take(nullptr);
  if (has) detail::acquires(this);
  return has;
}

void semaphore::acquire() {
  if (try_acquire()) {
    return;
  }
  waiter self;
  detail::worker* const on = detail::this_worker();
  if (on == nullptr || on->never_suspends()) {
    const detail::uncancelled until_it_has_a_slot;
    std::unique_lock hold(mutex_);
    self.has_slot = take(&self);
    self.got_slot.wait(hold, [&self] { return self.has_slot; });
  } else {
    // It enters the queue only off its stack: from then on it may be resumed.
    struct request {
      semaphore& from;
      waiter& self;
    } wanted{*this, self};
    self.home = &on->home;
    on->suspend(
        [](detail::worker&, detail::fiber* left, void* wanted) noexcept -> detail::fiber* {
          const auto& [from, self] = *static_cast<request*>(wanted);
          const std::lock_guard hold(from.mutex_);
          self.task = left;
          return from.take(&self) ? left : nullptr;
        },
        &wanted);
  }
  detail::acquires(this);
}

void semaphore::release() noexcept {
  detail::releases(this);
  detail::fiber* task = nullptr;
  detail::threads* home = nullptr;
  {
    const std::lock_guard hold(mutex_);
    waiter* const next = first_;
    if (next == nullptr) {
      ++free_;
      return;
    }
    first_ = next->next;
    if (first_ == nullptr) {
      last_ = &first_;
    }
    task = next->task;
    home = next->home;
    if (task == nullptr) {
      next->has_slot = true;
      next->got_slot.notify_one();  // with the mutex: the thread may then be gone
      return;
    }
    home->begin_waking();  // the engine may end once the task has resumed
  }
  home->requeue(task);
  home->end_waking();
}

}  // namespace jackdaw
