#include "sched/work_meters.hpp"

#include <new>

namespace jackdaw::sched {

work_account* work_accounts::take() noexcept {
  const std::lock_guard hold(mutex_);
  if (!free_.empty()) {
    work_account* const taken = free_.back();
    free_.pop_back();
    taken->spent.store(0, std::memory_order_relaxed);
    taken->divided.store(false, std::memory_order_relaxed);
    return taken;
  }
  if (all_.size() < most) {
    try {
      if (free_.capacity() <= all_.size()) free_.reserve(2 * all_.size() + 64);
      return &all_.emplace_back();
    } catch (const std::bad_alloc&) {
    }
  }
  exhausted_.store(true, std::memory_order_relaxed);
  return nullptr;
}

void work_accounts::give(work_account* back) noexcept {
  const std::lock_guard hold(mutex_);
  free_.push_back(back);
}

void work_meters::start(task_runner& on) {
  on_ = &on;
  seats_ = std::make_unique<seat[]>(on.workers());
}

void work_meters::begin(worker_id self, work_account* account) noexcept {
  charge(self);
  seat& mine = seats_[self];
  mine.account = account;
  mine.behind[static_cast<std::size_t>(on_->uses(self))].store(account, std::memory_order_release);
}

void work_meters::charge(worker_id self) noexcept {
  seat& mine = seats_[self];
  const double now = on_->now();
  if (mine.account != nullptr) mine.account->spent.fetch_add(now - mine.since, std::memory_order_relaxed);
  mine.since = now;
}

void work_meters::stop(worker_id self) noexcept {
  if (seats_[self].account == nullptr) return;
  charge(self);
  seats_[self].account = nullptr;
}

}  // namespace jackdaw::sched
