#pragma once

#include <atomic>
#include <cstdint>

namespace jackdaw::detail {

/// How many tasks from outside an engine has accepted that have not ended.
class under_way {
 public:
  void begin() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  /// Release: what the task did.
  void end() noexcept {
    if (count_.fetch_sub(1, std::memory_order_release) == 1) {
      count_.notify_all();
    }
  }
  /// A hint.
  std::uint32_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
  /// Until there is none; no other may begin meanwhile. Acquire: what they did.
  void wait_for_all() const noexcept {
    for (std::uint32_t left = 0; (left = count_.load(std::memory_order_acquire)) != 0;) {
      count_.wait(left, std::memory_order_relaxed);
    }
  }

 private:
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace jackdaw::detail
