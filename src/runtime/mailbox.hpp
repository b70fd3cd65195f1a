#pragma once

#include "jackdaw/detail/atomics.hpp"
#include "sched/task_runner.hpp"

namespace jackdaw::detail {

/// One slot for a task of the upper tier. By ADWS' Theorem 2 no worker posts while the slot is full.
template <class P>
class basic_mailbox {
 public:
  /// False: it was full, and the item is not in it.
  [[nodiscard]] bool post(sched::item what) noexcept {
    std::uintptr_t none = 0;
    // Release: what the poster wrote about the item. Sequentially consistent, because the poster then looks whether the
    // addressee sleeps, and the addressee sets its bit before it looks here for the last time.
    return slot_.compare_exchange_strong(none, what.handle(), std::memory_order_seq_cst, std::memory_order_relaxed);
  }

  sched::item collect() noexcept {
    if (slot_.load(std::memory_order_relaxed) == 0) {
      return {};
    }
    return sched::item(slot_.exchange(0, std::memory_order_acquire));
  }

  bool full() const noexcept { return slot_.load(std::memory_order_relaxed) != 0; }

 private:
  typename P::template atomic<std::uintptr_t> slot_{0};
};

}  // namespace jackdaw::detail
