#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "jackdaw/semaphore.hpp"
#include "jackdaw/tied.hpp"

namespace tbb::detail::d1 {
inline namespace on_jackdaw {

/// Counts what has begun and not ended. Any number of tasks and threads may wait until nothing is left.
class absent {
 public:
  void begin() noexcept { word_.fetch_add(one, std::memory_order_relaxed); }

  /// Unless somebody waits, the subtraction is the last access. Otherwise it is made with the lock, which the waiter
  /// takes before it goes on: so who has made the count zero is out, even if another end has woken the waiter. Release:
  /// what has ended. Acquire: what the others did.
  void end() noexcept {
    for (std::uint64_t seen = word_.load(std::memory_order_relaxed); seen != one + waited_for;) {
      if (word_.compare_exchange_weak(seen, seen - one, std::memory_order_acq_rel, std::memory_order_relaxed)) return;
    }
    const std::lock_guard hold(mutex_);
    if (word_.fetch_sub(one, std::memory_order_acq_rel) == one + waited_for) wake_all();
  }

  /// Acquire: what has ended.
  bool none() const noexcept { return word_.load(std::memory_order_acquire) < one; }

  /// Returns on the calling thread.
  void wait() {
    const jackdaw::detail::tie back;
    while (!none()) {
      waiter self;
      {
        const std::lock_guard hold(mutex_);
        self.next = first_;
        first_ = &self;
        // The count was zero, or whoever makes it zero sees the mark, and waits for the lock.
        if (word_.fetch_or(waited_for, std::memory_order_acq_rel) == 0) wake_all();
      }
      self.woken.acquire();
      const std::lock_guard until_whoever_wakes_is_out(mutex_);
    }
  }

 private:
  struct waiter {
    jackdaw::semaphore woken{0};
    waiter* next = nullptr;
  };
  static constexpr std::uint64_t waited_for = 1, one = 2;

  void wake_all() noexcept {
    word_.fetch_and(~waited_for, std::memory_order_relaxed);
    while (waiter* const each = first_) {
      first_ = each->next;  // before it goes on
      each->woken.release();
    }
  }

  std::atomic<std::uint64_t> word_{0};
  std::mutex mutex_;
  waiter* first_ = nullptr;  // on the waiters' stacks
};

}  // namespace on_jackdaw
}  // namespace tbb::detail::d1
