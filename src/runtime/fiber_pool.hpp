#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>

#include "jackdaw/detail/fiber.hpp"
#include "runtime/stack_slabs.hpp"

namespace jackdaw::detail {

/// The spare stacks that all workers share. The kernel provides memory only for the pages of a stack that are used, and
/// gets it back when stacks have been spare for long: README-stacks.md.
class fiber_pool {
 public:
  static constexpr std::size_t most_stacks = stack_slabs::most_stacks;
  /// How many stacks stay when all workers are idle.
  static constexpr std::size_t kept_idle = 64;
  /// The time between two looks for stacks that were not needed.
  static constexpr std::chrono::milliseconds period{500};

  explicit fiber_pool(std::size_t stack_size);
  ~fiber_pool();
  fiber_pool(const fiber_pool&) = delete;
  fiber_pool& operator=(const fiber_pool&) = delete;

  /// Returns a list of at least one fiber, or null if the system has no more memory or mappings, or the bound is
  /// reached.
  fiber* take() noexcept;
  /// Returns a fiber that the caller cannot do without. Throws std::bad_alloc.
  fiber* take_needed();
  void give(fiber* list) noexcept;

  /// Called by an idle worker: gives back some of the stacks that were not needed for a period. True: there are more.
  bool trim() noexcept;
  /// Whether trim() may find something, now or later.
  bool surplus() const noexcept { return free_count_.load(std::memory_order_relaxed) > kept_idle; }

  void bound(std::size_t stacks) noexcept { slabs_.bound(stacks); }
  std::size_t stack_size() const noexcept { return slabs_.stack_size(); }

 private:
  using clock = std::chrono::steady_clock;

  fiber* make(bool needed) noexcept;
  fiber* cut(std::size_t count) noexcept;
  void retire(fiber* list) noexcept;

  stack_slabs slabs_;
  std::atomic<std::size_t> colour_{0};
  std::mutex mutex_;
  // guarded by mutex_:
  fiber* free_ = nullptr;
  std::atomic<std::size_t> free_count_{0};  // also read without it
  std::size_t allowance_;                   // how many fibers may be in free_
  std::size_t least_free_ = 0;              // the least number of them since the last look
  clock::time_point looked_;
  clock::time_point retired_;  // when some were retired above the allowance; the epoch if it was raised since
};

}  // namespace jackdaw::detail
