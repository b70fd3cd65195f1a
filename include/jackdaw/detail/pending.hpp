#pragma once

#include <cstdint>

#include "jackdaw/detail/atomics.hpp"

namespace jackdaw::detail {

/// What a group waits for: its children that may end elsewhere, and the group's own task until that waits. Whoever
/// brings the count to 0 resumes the waiter; everybody else has touched the group for the last time when he counts
/// himself off. src/task/README-join.md; model: tests/model.
template <class P, class Waiter>
class basic_pending {
 public:
  /// One more child is detached. Relaxed: whoever learns of the child learns of this through the lock of the deque, or
  /// through the item that is handed over.
  void add() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }

  /// One more child is in the deque. Counted by the group's own task, who alone looks before it waits: no atomic.
  void push() noexcept { ++pushed_; }

  /// A child that was pushed is off the deque again and ends on the group's own task.
  void take_back() noexcept { --pushed_; }
  bool any_pushed() const noexcept { return pushed_ != 0; }

  /// A detached child, or one that was pushed and taken by others, has ended. True: it was the last and the waiter can
  /// go on: restart(). Release: what the child did. Acquire, for the last: the waiter's context, and what the other
  /// children did.
  [[nodiscard]] bool end() noexcept { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  /// A child that was added has ended on the group's own task, so it is never the last.
  void end_here() noexcept { count_.fetch_sub(1, std::memory_order_relaxed); }

  /// Called off the waiter's stack. True: there was nothing to wait for, restart().
  [[nodiscard]] bool wait(Waiter* waiter) noexcept {
    waiter_ = waiter;
    // The group's own task stops counting, and what it pushed is counted from now on. Release: its context. Acquire: as
    // in end(). The group may be gone afterwards.
    const std::int64_t step = own_task - pushed_;
    pushed_ = 0;
    return count_.fetch_sub(step, std::memory_order_acq_rel) == step;
  }

  /// By whoever was last. The children are all gone, so nobody else looks at the count until the waiter runs.
  Waiter* restart() noexcept {
    count_.store(own_task, std::memory_order_relaxed);
    return waiter_;
  }

  /// A child that was added has not ended, unless others that were pushed and stolen have ended before they are counted.
  bool any_detached() const noexcept { return count_.load(std::memory_order_acquire) > own_task; }
  /// The group's own task waits.
  bool waited_for() const noexcept { return count_.load(std::memory_order_acquire) < own_task / 2; }

  /// For the group's own task: no child is left. Acquire: what they did.
  bool none() const noexcept { return count_.load(std::memory_order_acquire) + pushed_ == own_task; }

 private:
  /// What the group's own task counts while it does not wait: more than there can be children, so that those that were
  /// pushed can count themselves off before they are counted.
  static constexpr std::int64_t own_task = std::int64_t{1} << 48;

  typename P::template atomic<std::int64_t> count_{own_task};
  std::int64_t pushed_ = 0;
  Waiter* waiter_;  // set from wait() to restart()
};

}  // namespace jackdaw::detail
