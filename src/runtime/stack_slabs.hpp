#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace jackdaw::detail {

/// Memory for stacks of one size, each with a guard area below. Many stand side by side in one mapping, a slab, so that
/// a program's number of mappings (vm.max_map_count) does not limit its stacks: where the kernel can guard pages inside
/// a mapping (MADV_GUARD_INSTALL, Linux 6.13) a slab takes two; elsewhere each stack takes two. Stacks of all runtimes
/// together take half of the mappings that a process may have.
class stack_slabs {
 public:
  /// More stacks at once there never are.
  static constexpr std::size_t most_stacks = std::size_t{1} << 19;

  explicit stack_slabs(std::size_t stack_size);
  /// Unmaps all, given back or not.
  ~stack_slabs();
  stack_slabs(const stack_slabs&) = delete;
  stack_slabs& operator=(const stack_slabs&) = delete;

  struct slab;
  struct stack {
    std::byte* lowest = nullptr;  ///< usable byte; null: there is no stack
    slab* of = nullptr;
  };

  /// A stack whose pages are not there yet, so that they come from the memory node of the thread that uses them first.
  /// None: the system has no more memory or mappings, or a bound is reached, which those that are `needed` may pass.
  stack take(bool needed) noexcept;
  /// Gives its pages back to the system; the mapping as well, once no stack of its slab is left.
  void give(const stack& unused) noexcept;

  /// Of stacks at once; for tests. At most most_stacks.
  void bound(std::size_t stacks) noexcept;
  std::size_t stack_size() const noexcept { return size_; }
  std::size_t guard_size() const noexcept { return guard_; }

 private:
  slab* map(bool needed) noexcept;
  bool prepare(slab& in, unsigned index, bool needed) noexcept;
  void unmap(slab* gone) const noexcept;
  std::byte* at(const slab& in, unsigned index) const noexcept;

  const std::size_t size_, guard_;
  const unsigned together_;  // stacks of a slab
  std::mutex mutex_;
  slab* open_ = nullptr;  // lists: with room for a stack, and without
  slab* full_ = nullptr;
  std::size_t most_ = most_stacks, taken_ = 0;
};

}  // namespace jackdaw::detail
