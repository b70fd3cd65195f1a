#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>

#include "jackdaw/detail/fiber.hpp"

namespace jackdaw::detail {

/// Stacks that no worker has at hand. A stack is mapped once, with a guard area below, and lives as long as its
/// runtime; the kernel gives memory to those pages only that are used.
class fiber_pool {
 public:
  /// More than so many there never are.
  static constexpr std::size_t most_stacks = std::size_t{1} << 19;

  explicit fiber_pool(std::size_t stack_size);
  ~fiber_pool();
  fiber_pool(const fiber_pool&) = delete;
  fiber_pool& operator=(const fiber_pool&) = delete;

  /// A list of at least one fiber, or null if the system has no more memory or mappings.
  fiber* take(std::size_t& count) noexcept;
  void give(fiber* list) noexcept;
  std::size_t stack_size() const noexcept { return size_; }

 private:
  fiber* map() noexcept;

  const std::size_t size_;
  std::atomic<std::size_t> colour_{0};
  std::mutex mutex_;
  fiber* free_ = nullptr;
};

/// Gives a mapped fiber's memory back.
void unmap(fiber* unused) noexcept;

}  // namespace jackdaw::detail
