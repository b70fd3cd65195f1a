#pragma once

#include <cstdint>

#include "jackdaw/detail/atomics.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Counts the children that a group waits for and that may end elsewhere. The worker that ends the last one while the
/// group's own task waits resumes that task. For every other worker, subtracting its child is the last access to the
/// group. The same word holds the group's marks, so that one look tells that there is nothing to do.
/// src/runtime/README-join.md; model: tests/model.
template <class P, class Waiter>
class basic_pending {
 public:
  /// One bit each; what they mean is the group's business.
  using mark_set = std::uint8_t;

  explicit basic_pending(mark_set marks = 0) noexcept : word_(marks) {}

  /// One more child is detached. Relaxed: a worker that learns of the child learns of this through the lock of the
  /// deque, or through the item that is handed over.
  void add() noexcept { word_.fetch_add(child, std::memory_order_relaxed); }

  /// One more child is in the deque. Not atomic: the group's own task counts it, and only that task reads the count
  /// before it waits.
  void push() noexcept { pushed_ += child; }

  /// A child that was pushed is off the deque again and ends on the group's own task.
  void take_back() noexcept { pushed_ -= child; }
  bool any_pushed() const noexcept { return pushed_ != 0; }

  /// A detached child, or one that was pushed and taken by others, has ended. True: it was the last and the waiter can
  /// resume; call restart(). Release: what the child did. Acquire, for the last: the waiter's context, and what the
  /// other children did.
  [[nodiscard]] bool end() noexcept {
    return without_marks(word_.fetch_sub(child, std::memory_order_acq_rel)) == waits + child;
  }

  /// A child that was added has ended on the group's own task, so it is never the last.
  void end_here() noexcept { word_.fetch_sub(child, std::memory_order_relaxed); }

  /// Called off the waiter's stack. True: there was nothing to wait for; call restart().
  [[nodiscard]] bool wait(Waiter* waiter) noexcept {
    waiter_ = waiter;
    // From now on the word counts what the group's own task pushed. Release: its context. Acquire: as in end(). The
    // group may be gone afterwards.
    const std::int64_t taken = pushed_;
    pushed_ = 0;
    return without_marks(word_.fetch_add(waits + taken, std::memory_order_acq_rel)) + taken == 0;
  }

  /// Called when end() or wait() has returned true. No child is left, so no other thread looks at the word until the
  /// waiter runs.
  Waiter* restart() noexcept {
    word_.store(word_.load(std::memory_order_relaxed) - waits, std::memory_order_relaxed);
    return waiter_;
  }

  /// Whether a child that was added has not ended. It may be false nevertheless if others that were pushed and stolen
  /// have ended before they are counted.
  bool any_detached() const noexcept { return word_.load(std::memory_order_acquire) >= child; }
  /// Whether the group's own task waits.
  bool waited_for() const noexcept { return word_.load(std::memory_order_acquire) >= waits / 2; }

  /// For the group's own task: whether no child is left. Acquire: what the children did.
  bool none() const noexcept { return without_marks(word_.load(std::memory_order_acquire)) + pushed_ == 0; }

  /// For the group's own task, which has nothing in the deque: whether no child is left and no mark is set. Acquire:
  /// what the children did.
  bool untouched() const noexcept { return word_.load(std::memory_order_acquire) == 0; }

  /// For the group's own task: whether no child is left and these are the marks. Acquire: as above.
  bool none_but(mark_set marks) const noexcept { return word_.load(std::memory_order_acquire) + pushed_ == marks; }

  mark_set marks() const noexcept { return static_cast<mark_set>(word_.load(std::memory_order_relaxed)); }
  /// Returns what was set before.
  mark_set mark(mark_set more) noexcept {
    return static_cast<mark_set>(word_.fetch_or(more, std::memory_order_relaxed));
  }
  /// The same. Acquire: what the workers that set marks had done before they subtracted their children.
  mark_set unmark(mark_set gone) noexcept {
    return static_cast<mark_set>(word_.fetch_and(~std::int64_t{gone}, std::memory_order_acquire));
  }

 private:
  static constexpr std::int64_t child = 256;  // the marks are below
  /// What is added while the group's own task waits: more than there can be children.
  static constexpr std::int64_t waits = std::int64_t{1} << 56;

  static std::int64_t without_marks(std::int64_t word) noexcept { return word & -child; }

  /// Children and marks. Below 0 while children that were pushed have subtracted themselves before they are counted.
  typename P::template atomic<std::int64_t> word_;
  std::int64_t pushed_ = 0;
  Waiter* waiter_;  // set from wait() to restart()
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
