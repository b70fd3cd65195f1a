#pragma once

#include <cstddef>
#include <utility>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/memory/page_locations.hpp"
#include "jackdaw/memory/placement.hpp"
#include "jackdaw/memory/placement_report.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Zeroed pages of memory that a placement policy places on memory nodes.
///
/// Under the policy first touch the pages are not touched yet. placed_array, placed_vector and placed_resource touch
/// them in parallel.
class placed_memory {
 public:
  /// Owns no memory.
  placed_memory() noexcept = default;
  /// Allocates and places at least `bytes` bytes.
  ///
  /// @param bytes The size in bytes, at least 1. It is rounded up to whole pages.
  /// @param how The policy that places the memory.
  /// @param alignment A power of two, in bytes. The memory is always aligned to at least a page.
  /// @throws error for 0 or too many bytes, for an alignment that is no power of two, for a node that does not exist or
  /// may not be used, and for a budget of less than a page.
  /// @throws std::bad_alloc if there is no memory.
  /// @par Complexity
  /// One system call for each piece of the plan. Where mbind is refused, pinned threads write to each page.
  explicit placed_memory(std::size_t bytes, const placement& how = {}, std::size_t alignment = 1);
  /// Gives the memory back.
  ~placed_memory();
  /// Takes the memory of `other`, which owns none afterwards.
  placed_memory(placed_memory&& other) noexcept { swap(other); }
  /// Gives the memory back and takes that of `other`, which owns none afterwards.
  placed_memory& operator=(placed_memory&& other) noexcept {
    placed_memory gone(std::move(other));
    swap(gone);
    return *this;
  }

  /// Returns the first byte; null without memory.
  std::byte* data() const noexcept { return data_; }
  /// Returns the size in bytes, a multiple of base_page_size().
  std::size_t size() const noexcept { return size_; }
  /// Returns the policy that places the memory.
  const placement& policy() const noexcept { return policy_; }
  /// Returns what became of the placement.
  const placement_report& report() const noexcept { return report_; }

  /// Gives up the memory and returns its first byte. The caller has to unmap it with `munmap(data, size)`.
  std::byte* release() noexcept;
  /// Exchanges the memory with `other`.
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

JACKDAW_EXPORT_END
