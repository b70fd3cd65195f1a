#pragma once

#include <atomic>

#include "tbb/record.hpp"

namespace jackdaw::onetbb {

/// Tasks of an arena that no worker's deque has: from threads that are no workers, enqueued ones, and those for which
/// a deque had no room. Whoever takes any takes all. Whoever puts the first sees to it that somebody comes: so between
/// two takers there is exactly one that was sent for.
class inbox {
 public:
  /// True: it was empty. Release: publishes the task. Sequentially consistent, as seems_empty().
  [[nodiscard]] bool put(record& one) noexcept {
    record* newest = newest_.load(std::memory_order_relaxed);
    do {
      one.next = newest;
    } while (!newest_.compare_exchange_weak(newest, &one, std::memory_order_seq_cst, std::memory_order_relaxed));
    return newest == nullptr;
  }
  /// The newest, with the older ones behind it.
  record* take_all() noexcept { return seems_empty() ? nullptr : newest_.exchange(nullptr, std::memory_order_acquire); }
  /// Called in the child of a fork(): what is here is the parent's.
  void forget() noexcept { newest_.store(nullptr, std::memory_order_relaxed); }
  bool seems_empty() const noexcept { return newest_.load(std::memory_order_relaxed) == nullptr; }

 private:
  std::atomic<record*> newest_{nullptr};
};

}  // namespace jackdaw::onetbb
