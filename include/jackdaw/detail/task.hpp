#pragma once

#include <atomic>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/control_word.hpp"

namespace jackdaw::sched {
class upper_task;
}
namespace jackdaw {
class task_group;
}

namespace jackdaw::detail {

class group_access;
class sited_group;
struct upper_group;
struct upper_group_delete {
  void operator()(upper_group* group) const noexcept;
};

/// A child of a group in memory of its own: one that is pushed help-first, or that the scheduler sends elsewhere.
class task : public entry {
 public:
  virtual ~task() = default;
  task(const task&) = delete;
  task& operator=(const task&) = delete;
  virtual void run() = 0;
  /// What tells a task from the other entries of a deque.
  static body starter() noexcept { return &start_on_fiber; }

  task_group* group = nullptr;
  sched::upper_task* upper = nullptr;  ///< what the scheduler knows of it; null below the upper tier
  bool searching = false;              ///< it starts in the upper tier
  const control_word control;          ///< of the task that forked it, and so its own

 protected:
  task() noexcept : entry(&start_on_fiber) {}

 private:
  static fiber* start_on_fiber(entry* self) noexcept;
};

template <class F>
class task_of final : public task {
 public:
  template <class A>
  explicit task_of(std::in_place_t, A&& f) : function_(std::forward<A>(f)) {}
  void run() override { function_(); }

 private:
  F function_;
};

template <class F>
task* make_task(F&& function) {
  return new task_of<std::decay_t<F>>(std::in_place, std::forward<F>(function));
}

/// On the child's stack, right after a work-first spawn: lets others take the parent. False: the deque is full and
/// the parent waits for this child like any caller.
inline bool expose(fiber* child) noexcept {
  lane* const at = this_lane();
  child->parent.claimed.store(false, std::memory_order_relaxed);
  if (at->deque.push(&child->parent)) [[likely]] {
    return true;
  }
  if (attend(at)) {
    return true;
  }
  child->parent.claimed.store(true, std::memory_order_relaxed);
  return false;
}

}  // namespace jackdaw::detail
