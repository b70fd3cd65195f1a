#pragma once

#include "sched/scheduler.hpp"

namespace jackdaw::sched {

/// Work stealing from a victim chosen at random, the baseline of all five papers. It has no upper tier: roots wait
/// for whoever comes first.
class random_stealing : public scheduler {
 public:
  std::string_view name() const noexcept override { return "random"; }

  void start(engine& on) override { engine_ = &on; }

  placement root(upper_task&) override { return {.where = placement::how::anyone}; }

  item idle(worker_id self) override {
    if (const item own = engine_->pop(self, lane::local)) {
      return own;
    }
    if (const item root = engine_->next_root(self)) {
      return root;
    }
    return engine_->workers() > 1 ? look_for_victim(self) : item{};
  }

 protected:
  virtual item look_for_victim(worker_id self) {
    const worker_id other = engine_->random(self, engine_->workers() - 1);
    return engine_->steal(self, other < self ? other : other + 1, lane::local);
  }

  engine& on() noexcept { return *engine_; }

 private:
  engine* engine_ = nullptr;
};

}  // namespace jackdaw::sched
