#include "sched/logging_scheduler.hpp"

#include <algorithm>

namespace jackdaw::sched {

std::vector<event> logging_scheduler::events() const {
  std::vector<event> all;
  {
    const std::lock_guard hold(outside_mutex_);
    all = outside_;
  }
  for (worker_id each = 0; on_ != nullptr && each < on_->workers(); ++each) {
    pages_[each].kept.for_each([&](const event& one) { all.push_back(one); });
  }
  std::sort(all.begin(), all.end(), [](const event& a, const event& b) { return a.order < b.order; });
  return all;
}

event logging_scheduler::made(event::kind what, worker_id self, const upper_task* task) noexcept {
  event fresh;
  // Acquire and release: for any two events, the one with the lower number, and what its worker did before it, happened
  // before what the other's worker did after it.
  fresh.order = ordered_.fetch_add(1, std::memory_order_acq_rel);
  fresh.at = on_->now();
  fresh.worker = self;
  fresh.what = what;
  if (task != nullptr) {
    fresh.task = task->number;
    fresh.parent = task->parent != nullptr ? task->parent->number : 0;
    fresh.packed = inner_->tops_subtree(*task);
    fresh.inter = task->inter;
  }
  return fresh;
}

void logging_scheduler::start(const engine& on) {
  on_ = &on.run;
  pages_ = std::make_unique<page[]>(on_->workers());
  inner_->start({*this, on.count, on.data});
}

destination logging_scheduler::root(upper_task& task) {
  task.number = tasks_.fetch_add(1, std::memory_order_relaxed) + 1;
  const destination where = inner_->root(task);
  event fresh = made(event::kind::root, 0, &task);
  fresh.where = where;
  keep_if_there_is_memory([&] {
    const std::lock_guard hold(outside_mutex_);
    outside_.push_back(fresh);
  });
  return where;
}

void logging_scheduler::resume(worker_id self, upper_task& task) {
  inner_->resume(self, task);
  keep(made(event::kind::start, self, &task));
}

void logging_scheduler::open(worker_id self, upper_group& group) {
  event fresh = made(event::kind::open, self, &group.task);
  fresh.site = group.site;
  keep(fresh);
  inner_->open(self, group);
}

destination logging_scheduler::fork(worker_id self, upper_group& group, upper_task& child) {
  child.number = tasks_.fetch_add(1, std::memory_order_relaxed) + 1;
  const destination where = inner_->fork(self, group, child);
  event fresh = made(event::kind::fork, self, &child);
  fresh.site = group.site;
  fresh.where = where;
  keep(fresh);
  return where;
}

void logging_scheduler::wait(worker_id self, upper_group& group, tier as) {
  inner_->wait(self, group, as);
  event fresh = made(event::kind::wait, self, &group.task);
  fresh.site = group.site;
  keep(fresh);
}

destination logging_scheduler::close(worker_id self, upper_group& group) {
  event fresh = made(event::kind::close, self, &group.task);
  fresh.site = group.site;
  fresh.where = inner_->close(self, group);
  keep(fresh);
  return fresh.where;
}

void logging_scheduler::end(worker_id self, upper_task& task) {
  // Logged before the scheduler hears of it, because others may then take what it lets them take.
  keep(made(event::kind::end, self, &task));
  inner_->end(self, task);
}

void logging_scheduler::rescued(worker_id self) {
  keep(made(event::kind::rescue, self, nullptr));
  inner_->rescued(self);
}

item logging_scheduler::idle(worker_id self) {
  page& mine = pages_[self];
  keep_if_there_is_memory([&] { mine.looks.assign(1, made(event::kind::look, self, nullptr)); });
  const item found = inner_->idle(self);
  if (found) {
    for (const event& look : mine.looks) keep(look);
  }
  return found;
}

item logging_scheduler::looked(worker_id self, event::kind what, std::uint32_t other, item found) noexcept {
  event fresh = made(what, self, nullptr);
  fresh.other = other;
  fresh.found = static_cast<bool>(found);
  keep_if_there_is_memory([&] { pages_[self].looks.push_back(fresh); });
  return found;
}

item logging_scheduler::pop(worker_id self, deque_kind from) noexcept {
  return looked(self, event::kind::pop, self, on_->pop(self, from));
}

item logging_scheduler::steal(worker_id self, worker_id victim, deque_kind from) noexcept {
  return looked(self, event::kind::steal, victim, on_->steal(self, victim, from));
}

item logging_scheduler::take(worker_id self, pool_id from, pool_end where) noexcept {
  return looked(self, event::kind::take, from, on_->take(self, from, where));
}

void logging_scheduler::note(worker_id self, const decision& what, std::int64_t value) {
  event fresh = made(event::kind::decide, self, nullptr);
  fresh.decided = &what;
  fresh.value = value;
  keep(fresh);
  on_->note(self, what, value);
}

}  // namespace jackdaw::sched
