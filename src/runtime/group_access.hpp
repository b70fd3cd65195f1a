#pragma once

#include "jackdaw/task_group.hpp"
#include "sched/upper_task.hpp"

namespace jackdaw::detail {

class worker;

/// A group of the upper tier, as its task_group keeps it.
struct upper_group : sched::upper_group {
  using sched::upper_group::upper_group;
};

/// What the runtime does to a task_group.
class group_access {
 public:
  /// One more child runs without its parent, which is `user`: a fiber, or what stands for a thread (running()). Those
  /// that detach the children of a group are ordered, as its task's steps are.
  static void detach(task_group& group, const void* user) noexcept {
    if (!group.pending_.any_detached()) {
      std::atomic_ref(group.user_).store(user, std::memory_order_relaxed);
    }
    group.pending_.add();
  }

  /// A detached child has ended, on a fiber of `on` (null: on a thread that is no worker). The group may be gone
  /// afterwards. Returns the fiber that waited, if it goes on here.
  static fiber* child_done(task_group& group, worker* on) noexcept;

  static void fail(task_group& group) noexcept { group.fail(); }
  static bool failed(const task_group& group) noexcept { return (group.pending_.marks() & task_group::failing) != 0; }

 private:
  friend class jackdaw::task_group;
  static fiber* resume_waiter(task_group& group, worker& on) noexcept;
  static fiber* begin_wait(worker& on, fiber* left, void* argument) noexcept;
};

}  // namespace jackdaw::detail
