#pragma once

#include <atomic>
#include <cstdint>

#include "jackdaw/detail/atomics.hpp"

namespace jackdaw::detail {

/// The number of tasks from outside that an engine has accepted and that have not ended.
class under_way {
 public:
  /// With a full fence behind it: whoever has set a sleeper's bit or asked a question, and then finds no task here, is
  /// seen by what the task does. README-stand-in.md.
  void begin() noexcept {
    count_.fetch_add(1, std::memory_order_seq_cst);
    hardware::full_fence();
  }
  /// Release: publishes what the task did.
  void end() noexcept { count_.fetch_sub(1, std::memory_order_release); }
  /// A hint.
  std::uint32_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
  /// The same for one who decides by it: not moved behind later loads. Sees what the tasks did that have ended.
  std::uint32_t count_now() const noexcept { return count_.load(std::memory_order_seq_cst); }
  bool any() const noexcept { return count_now() != 0; }

 private:
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace jackdaw::detail
