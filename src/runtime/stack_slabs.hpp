#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace jackdaw::detail {

/// Memory for stacks of one size, each with a guard area below. Many of them share one mapping, a slab, so that a
/// program's number of mappings (vm.max_map_count) does not limit its stacks. If the kernel can guard pages inside a
/// mapping (MADV_GUARD_INSTALL, Linux 6.13), a slab takes two mappings; otherwise each stack takes two. The stacks of
/// all runtimes together take at most half of the mappings that a process may have.
class stack_slabs {
 public:
  /// There are never more stacks at once.
  static constexpr std::size_t most_stacks = std::size_t{1} << 19;

  explicit stack_slabs(std::size_t stack_size);
  /// Unmaps all stacks, also those that were not given back.
  ~stack_slabs();
  stack_slabs(const stack_slabs&) = delete;
  stack_slabs& operator=(const stack_slabs&) = delete;

  struct slab;
  struct stack {
    std::byte* lowest = nullptr;  ///< lowest usable byte; null: there is no stack
    slab* of = nullptr;
  };

  /// Returns a stack that has no pages yet, so that they will come from the memory node of the thread that uses them
  /// first. Returns none if the system has no more memory or mappings, or if a bound is reached; stacks that are
  /// `needed` may pass the bound.
  stack take(bool needed) noexcept;
  /// Gives the stack's pages back to the system; also the slab's mapping if no stack of it is left.
  void give(const stack& unused) noexcept;

  /// Bounds the number of stacks at once, to at most most_stacks; for tests.
  void bound(std::size_t stacks) noexcept;
  std::size_t stack_size() const noexcept { return size_; }
  std::size_t guard_size() const noexcept { return guard_; }

 private:
  slab* map(bool needed) noexcept;
  bool prepare(slab& in, unsigned index, bool needed) noexcept;
  void unmap(slab* gone) const noexcept;
  std::byte* at(const slab& in, unsigned index) const noexcept;

  const std::size_t size_, guard_;
  const unsigned together_;  // stacks in a slab
  std::mutex mutex_;
  slab* open_ = nullptr;  // lists of slabs: with room for a stack, and without
  slab* full_ = nullptr;
  std::size_t most_ = most_stacks, taken_ = 0;
};

}  // namespace jackdaw::detail
