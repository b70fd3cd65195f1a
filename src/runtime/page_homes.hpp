#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numa/numa_kernel.hpp"

namespace jackdaw::detail {

/// The memory nodes of addresses, remembered for 64 KiB at a time as that of the first address asked for there. For one
/// thread.
class page_homes {
 public:
  explicit page_homes(numa::numa_kernel& kernel) : kernel_(&kernel) {}

  static constexpr std::size_t granule = 64 * 1024;
  static constexpr std::size_t most_looks = 16;  ///< for one range

  /// Nodes at evenly distributed places of [begin, end), as the operating system numbers them; -1: no memory there yet,
  /// or nobody knows. At most one system call. Valid until the next call.
  const std::vector<int>& of(std::uintptr_t begin, std::uintptr_t end);

  /// Pages may have moved.
  void forget() noexcept;

 private:
  struct slot {
    std::uintptr_t number = ~std::uintptr_t{0};  // of the granule
    int node = -1;
  };
  slot& slot_of(std::uintptr_t number) noexcept { return slots_[number % slots_.size()]; }

  numa::numa_kernel* kernel_;
  std::vector<slot> slots_;  // none before the first use
  std::vector<int> found_, told_;
  std::vector<void*> asked_;
  std::vector<std::size_t> places_;  // in found_, of what is asked
};

}  // namespace jackdaw::detail
