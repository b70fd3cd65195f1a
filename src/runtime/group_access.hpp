#pragma once

#include "jackdaw/task_group.hpp"
#include "sched/upper_task.hpp"

namespace jackdaw::detail {

class worker;

/// A group of the upper tier, as its task_group keeps it.
struct upper_group : sched::upper_group {
  using sched::upper_group::upper_group;
};

/// The runtime's access to a task_group.
class group_access {
 public:
  /// Counts one more child that runs without its parent. `user` is that parent: a fiber, or an address that stands for
  /// a thread (running()). All threads that detach children of a group are ordered, like the steps of the group's task.
  static void detach(task_group& group, const void* user) noexcept {
    if (!group.pending_.any_detached()) {
      std::atomic_ref(group.user_).store(user, std::memory_order_relaxed);
    }
    group.pending_.add();
  }

  /// Counts off a detached child, which has ended on a fiber of `on` (null: on a thread that is no worker). The group
  /// may be gone afterwards. Returns the fiber that waited, if it continues here.
  static fiber* child_done(task_group& group, worker* on) noexcept;

  static void fail(task_group& group) noexcept { group.fail(); }
  static bool failed(const task_group& group) noexcept { return (group.pending_.marks() & task_group::failing) != 0; }

 private:
  friend class jackdaw::task_group;
  static fiber* resume_waiter(task_group& group, worker& on) noexcept;
  static fiber* begin_wait(worker& on, fiber* left, void* argument) noexcept;
};

}  // namespace jackdaw::detail
