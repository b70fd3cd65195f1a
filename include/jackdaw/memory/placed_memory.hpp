#pragma once

#include <cstddef>
#include <utility>

#include "jackdaw/memory/page_locations.hpp"
#include "jackdaw/memory/placement.hpp"
#include "jackdaw/memory/placement_report.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

/// Zeroed pages of memory, placed as a policy says and given back at the end. The pages of a first touch are not
/// touched yet: placed_array and the others do that, in parallel.
class placed_memory {
 public:
  placed_memory() noexcept = default;
  /// At least `bytes` bytes at a multiple of `alignment` (a power of two; always at least a page's). Throws error for 0
  /// or too many bytes, for nodes that do not exist or are not allowed and for a budget of less than a page;
  /// std::bad_alloc where there is no memory.
  explicit placed_memory(std::size_t bytes, const placement& how = {}, std::size_t alignment = 1);
  ~placed_memory();
  placed_memory(placed_memory&& other) noexcept { swap(other); }
  placed_memory& operator=(placed_memory&& other) noexcept {
    placed_memory gone(std::move(other));
    swap(gone);
    return *this;
  }

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }  ///< bytes; whole base pages
  const placement& policy() const noexcept { return policy_; }
  const placement_report& report() const noexcept { return report_; }

  /// Leaves the memory to the caller, who gives it back with munmap(data, size).
  std::byte* release() noexcept;
  void swap(placed_memory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(policy_, other.policy_);
    std::swap(report_, other.report_);
  }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  placement policy_;
  placement_report report_;
};

}  // namespace jackdaw

#pragma GCC visibility pop
