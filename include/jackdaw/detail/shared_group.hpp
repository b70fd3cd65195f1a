#pragma once

#include <cstddef>
#include <utility>

#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/lane.hpp"
#include "jackdaw/detail/task.hpp"
#include "jackdaw/task_group.hpp"
#include "jackdaw/tied.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// A group to which the descendants of its children may add children, too. It belongs to a task, which returns from
/// run() and wait() on its thread, and goes on when all have ended. Children must not throw.
class shared_group {
 public:
  shared_group() noexcept : group_(policy::help_first) {
    group_.keeps_owner_ = true;
    // Others count children, so any_detached() tells nothing about the owner: it is known from the beginning.
    lane* const at = this_lane();
    group_.user_ = at != nullptr ? at->current : running_slow();
  }

  /// For the owner.
  template <class F>
  void run(F&& f) {
    const tie back;
    group_.run(std::forward<F>(f));
  }
  void wait() {
    const tie back;
    if (!group_.pending_.none() && !has_room()) suspend();
    group_.wait();
  }
  /// For the owner: whether all children have ended.
  bool none() const noexcept { return group_.pending_.none(); }

  /// For a task that runs within one of the group's children and is in the lower tier: its lane is not null. The new
  /// child is not structured: it may be in the deque when the caller has ended. Then whoever comes to it runs it.
  template <class F>
  void add(F&& f) {
    const tie back;
    lane* const at = this_lane();
    task* const child = make_task(std::forward<F>(f), at);
    child->group = &group_;
    // The caller's own ancestor is counted, so the count is not zero meanwhile, nor when the child ends here.
    group_.pending_.add();
    JACKDAW_RELEASES(static_cast<entry*>(child));
    if (!at->deque.push(child) && !attend(at)) [[unlikely]] {
      child->run_out();
      group_.pending_.end_here();
    }
  }

 private:
  static const void* running_slow() noexcept;

  /// Whether less than half of the calling task's stack is used. Then a wait runs children on top of it, which may wait
  /// in their turn; otherwise they run on stacks of their own.
  [[gnu::noinline]] static bool has_room() noexcept {
    const lane* const at = this_lane();
    if (at == nullptr) return true;
    const fiber& on = *at->current;
    return static_cast<const std::byte*>(__builtin_frame_address(0)) > on.stack + (on.end - on.stack) / 2;
  }
  /// Leaves the stack until no child is left, unless the group is in the upper tier.
  void suspend() noexcept;

  task_group group_;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
