#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numa/numa_kernel.hpp"

namespace jackdaw::detail {

/// The memory nodes of addresses. It remembers one node for each 64 KiB: that of the first address there that was asked
/// for. Used by one thread.
class page_homes {
 public:
  explicit page_homes(numa::numa_kernel& kernel) : kernel_(&kernel) {}

  static constexpr std::size_t granule = 64 * 1024;
  static constexpr std::size_t most_looks = 16;  ///< for one range

  /// Returns the nodes of evenly distributed addresses of [begin, end), by the operating system's numbers; -1: no
  /// memory there yet, or not known. Makes at most one system call. Valid until the next call.
  const std::vector<int>& of(std::uintptr_t begin, std::uintptr_t end);

  /// Forgets all of them; called when pages may have moved.
  void forget() noexcept;

 private:
  struct slot {
    std::uintptr_t number = ~std::uintptr_t{0};  // of the granule
    int node = -1;
  };
  slot& slot_of(std::uintptr_t number) noexcept { return slots_[number % slots_.size()]; }

  numa::numa_kernel* kernel_;
  std::vector<slot> slots_;  // empty before the first use
  std::vector<int> found_, told_;
  std::vector<void*> asked_;
  std::vector<std::size_t> places_;  // where the answers to asked_ go in found_
};

}  // namespace jackdaw::detail
