#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "sched/steal_ranges.hpp"

namespace jackdaw::sched {

/// How many ranges have become active, and which ones lately. Any worker may write and read at any time.
class activation_log {
 public:
  /// Adds a range that has become active.
  void add(steal_ranges::ref range) {
    const std::lock_guard hold(mutex_);
    const std::uint64_t number = count_.load(std::memory_order_relaxed);
    // Release, both: who acquires this range sees the count before it; who acquires the count, or a later one, sees the
    // range here and active.
    recent_[number % kept].store(range, std::memory_order_release);
    count_.store(number + 1, std::memory_order_release);
  }

  /// Returns how many have been added. Acquire: all of them are seen active.
  std::uint64_t count() const noexcept { return count_.load(std::memory_order_acquire); }

  /// Calls f(range) for numbers `from` to `until` - 1, where `until` is a count() of before. False: some were
  /// forgotten, and f may have been called for others.
  template <class F>
  bool for_each(std::uint64_t from, std::uint64_t until, F f) const {
    if (until - from >= kept) return false;
    for (std::uint64_t number = from; number < until; ++number)
      f(recent_[number % kept].load(std::memory_order_acquire));
    // If f got a range that was added `kept` later than the one asked for, its acquire shows the count of that moment.
    return count_.load(std::memory_order_relaxed) - from < kept;
  }

 private:
  static constexpr std::uint64_t kept = 64;

  std::mutex mutex_;  // of writers
  std::atomic<std::uint64_t> count_{0};
  std::array<std::atomic<steal_ranges::ref>, kept> recent_{};
};

}  // namespace jackdaw::sched
