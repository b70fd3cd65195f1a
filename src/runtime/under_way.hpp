#pragma once

#include <atomic>
#include <cstdint>

namespace jackdaw::detail {

/// The number of tasks from outside that an engine has accepted and that have not ended.
class under_way {
 public:
  void begin() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  /// Release: publishes what the task did.
  void end() noexcept { count_.fetch_sub(1, std::memory_order_release); }
  /// A hint.
  std::uint32_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
  /// Whether there are any. Acquire: sees what the tasks did that have ended.
  bool any() const noexcept { return count_.load(std::memory_order_acquire) != 0; }

 private:
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace jackdaw::detail
