#pragma once

#include <string>
#include <string_view>

#include "sched/adws.hpp"
#include "sched/learned_work.hpp"

namespace jackdaw::sched {

/// ADWS whose spans follow what earlier iterations of a region took (learned_work), instead of hints or beside them.
/// Only the root that is laid out is measured. A task that forked nothing when it was searched is not searched again:
/// the worker of the middle of its span runs it.
class learning_adws : public adws {
 public:
  learning_adws(stealing mode, hint_source hints);

  std::string_view name() const noexcept override { return name_; }
  void start(const engine& on) override { start(on, nullptr); }
  void resume(worker_id self, upper_task& task) override;
  void open(worker_id self, upper_group& group) override;
  double part_for(worker_id self, upper_group& group, double work) override;
  destination fork(worker_id self, upper_group& group, upper_task& child) override;
  destination close(worker_id self, upper_group& group) override;
  void end(worker_id self, upper_task& task) override;
  item idle(worker_id self) override;
  void rescued(worker_id self) override;

 protected:
  void start(const engine& on, const memory_shares* shares);
  /// Whether the iteration that this group begins is laid out by what earlier ones took, and measured.
  virtual bool learns(worker_id /*self*/, const upper_group& /*iteration*/) { return true; }

 private:
  struct task_state {
    adws::task_state base;
    task_work* known;       // null: nothing is learned of it alone
    work_account* account;  // for which its worker works; null: nothing is measured
  };
  struct group_state {
    adws::group_state base;
    group_work* known;  // null: nothing is learned of it
  };
  static task_state& of(upper_task& task) noexcept { return task.own<task_state>(); }
  static const task_state& of(const upper_task& task) noexcept { return task.own<task_state>(); }
  static group_work*& known_of(upper_group& group) noexcept { return group.own<group_state>().known; }

  bool forks_nothing(const upper_task& child) const noexcept override;
  void found(worker_id self, item what, worker_id in, deque_kind from) noexcept override;

  const std::string name_;
  const task_runner* on_ = nullptr;
  learned_work learned_;
};

}  // namespace jackdaw::sched
