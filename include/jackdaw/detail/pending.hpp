#pragma once

#include <cstdint>

#include "jackdaw/detail/atomics.hpp"

namespace jackdaw::detail {

/// What a group waits for: its detached children, and one for the group's own task until that waits. Whoever brings
/// the count to 0 resumes the waiter; everybody else has touched the group for the last time when he counts himself
/// off. src/task/README-join.md; model: tests/model.
template <class P, class Waiter>
class basic_pending {
 public:
  /// One more child is detached. Relaxed: whoever learns of the child learns of this through the lock of the deque, or
  /// through the item that is handed over.
  void add() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }

  /// A detached child has ended. True: it was the last and the waiter can go on: restart(). Release: what the child
  /// did. Acquire, for the last: the waiter's context, and what the other children did.
  [[nodiscard]] bool end() noexcept { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  /// A child that was counted has ended on the group's own task, so it is never the last.
  void end_here() noexcept { count_.fetch_sub(1, std::memory_order_relaxed); }

  /// Called off the waiter's stack. True: there was nothing to wait for, restart().
  [[nodiscard]] bool wait(Waiter* waiter) noexcept {
    waiter_ = waiter;
    // The group's own task stops counting. Release: its context. Acquire: as in end().
    return count_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  /// By whoever was last. The children are all gone, so nobody else looks at the count until the waiter runs.
  Waiter* restart() noexcept {
    count_.store(1, std::memory_order_relaxed);
    return waiter_;
  }

  /// For the group's own task: no detached child is left. Acquire: what they did.
  bool none() const noexcept { return count_.load(std::memory_order_acquire) == 1; }

 private:
  typename P::template atomic<std::int64_t> count_{1};
  Waiter* waiter_ = nullptr;
};

}  // namespace jackdaw::detail
