#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>

#include "jackdaw/detail/fiber.hpp"
#include "runtime/stack_slabs.hpp"

namespace jackdaw::detail {

/// Stacks that no worker has at hand. The kernel gives memory to those pages of a stack only that are used, and takes
/// it back with stacks that are spare for long: README-stacks.md.
class fiber_pool {
 public:
  static constexpr std::size_t most_stacks = stack_slabs::most_stacks;
  /// So many stay when everything is idle.
  static constexpr std::size_t kept_idle = 64;
  /// Between two looks for what was not needed.
  static constexpr std::chrono::milliseconds period{500};

  explicit fiber_pool(std::size_t stack_size);
  ~fiber_pool();
  fiber_pool(const fiber_pool&) = delete;
  fiber_pool& operator=(const fiber_pool&) = delete;

  /// A list of at least one fiber, or null if the system has no more memory or mappings, or the bound is reached.
  fiber* take() noexcept;
  /// A fiber that somebody cannot do without. Throws std::bad_alloc.
  fiber* take_needed();
  void give(fiber* list) noexcept;

  /// By a worker that has nothing to do: gives back some of what nobody has needed for a period. True: there is more.
  bool trim() noexcept;
  /// Whether a trim may find something, now or later.
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
  // guarded by mutex_
  fiber* free_ = nullptr;
  std::atomic<std::size_t> free_count_{0};  // also read without
  std::size_t allowance_;                   // of fibers in free_
  std::size_t least_free_ = 0;              // since the last look
  clock::time_point looked_;
  clock::time_point retired_;  // when some were, above the allowance; the epoch: it was raised since
};

}  // namespace jackdaw::detail
