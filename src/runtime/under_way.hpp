#pragma once

#include <atomic>
#include <cstdint>

namespace jackdaw::detail {

/// How many tasks from outside an engine has accepted that have not ended.
class under_way {
 public:
  void begin() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  /// Release: what the task did.
  void end() noexcept { count_.fetch_sub(1, std::memory_order_release); }
  /// A hint.
  std::uint32_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
  /// Whether there is any. Acquire: what those did that have ended.
  bool any() const noexcept { return count_.load(std::memory_order_acquire) != 0; }

 private:
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace jackdaw::detail
