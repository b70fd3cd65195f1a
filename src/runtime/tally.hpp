#pragma once

#include <atomic>
#include <cstdint>

namespace jackdaw::detail {

/// A count that one thread writes and others read.
class tally {
 public:
  void add(std::uint64_t more = 1) noexcept { set(get() + more); }
  void set(std::uint64_t value) noexcept { value_.store(value, std::memory_order_relaxed); }
  std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }
  /// Whoever sees the count by get_acquire() sees what its writer has done before.
  void add_release() noexcept { value_.store(get() + 1, std::memory_order_release); }
  std::uint64_t get_acquire() const noexcept { return value_.load(std::memory_order_acquire); }
  void clear() noexcept { set(0); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

}  // namespace jackdaw::detail
