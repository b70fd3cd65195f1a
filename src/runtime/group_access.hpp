#pragma once

#include <utility>

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

  /// Runs f() as a child of the group, which is opened at that place in the program.
  template <class F>
  static void run_at(const void* site, task_group& group, F&& f, double work) {
    if (this_lane() != nullptr) [[likely]] {
      group.run(std::forward<F>(f), work);
    } else {
      group.run_slowly(make_task(std::forward<F>(f)), work, site);
    }
  }
  /// The same near some memory.
  template <class F>
  static void run_near_at(const void* site, task_group& group, const affinity& where, F&& f, double work) {
    group.run_near(where, make_task(std::forward<F>(f)), work, site);
  }
  /// Whether the group's destructor has nothing to do.
  static bool idle(const task_group& group) noexcept {
    return group.pending_.untouched() || group.pending_.none_but(task_group::help_first);
  }

  static void fail(task_group& group) noexcept { group.fail(); }
  static bool failed(const task_group& group) noexcept { return (group.pending_.marks() & task_group::failing) != 0; }

 private:
  friend class jackdaw::task_group;
  friend class shared_group;
  static fiber* resume_waiter(task_group& group, worker& on) noexcept;
  static fiber* begin_wait(worker& on, fiber* left, void* argument) noexcept;
};

}  // namespace jackdaw::detail
