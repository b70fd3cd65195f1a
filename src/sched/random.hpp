#pragma once

#include "sched/scheduler.hpp"

namespace jackdaw::sched {

/// Work stealing from a victim chosen at random, the baseline of all five papers. It has no upper tier: roots wait
/// for the first worker that comes.
class random_stealing : public scheduler {
 public:
  std::string_view name() const noexcept override { return "random"; }

  void start(const engine& on) override { on_ = &on.run; }

  destination root(upper_task&) override { return {.where = destination::how::anyone}; }

  item idle(worker_id self) override {
    if (const item own = on_->pop(self, deque_kind::local)) {
      return own;
    }
    if (const item root = on_->next_root(self)) {
      return root;
    }
    return on_->workers() > 1 ? look_for_victim(self) : item{};
  }

 protected:
  virtual item look_for_victim(worker_id self) {
    const worker_id other = on_->random(self, on_->workers() - 1);
    return on_->steal(self, other < self ? other : other + 1, deque_kind::local);
  }

  task_runner& on() noexcept { return *on_; }

 private:
  task_runner* on_ = nullptr;
};

}  // namespace jackdaw::sched
