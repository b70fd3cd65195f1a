#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/hotness/page_calls.hpp"

namespace jackdaw::profile {

/// Pages whose accessed bits are read and cleared again and again.
class accessed_bits {
 public:
  struct page {
    std::uintptr_t at = 0;
    std::size_t bytes = 0;
    std::uint32_t area = 0;  ///< whatever the caller says
    double seen = 0;         ///< of the sweeps, those that found it accessed
  };

  explicit accessed_bits(page_calls& kernel) : kernel_(&kernel) {}

  /// Watches more pages from now on; that they have been accessed before counts for nothing. Their memory is mapped.
  /// Returns 0 or the errno of what the kernel refuses; then none of them is watched.
  int add(std::vector<page> more);

  /// Adds 1 to `seen` of each page accessed since the last sweep, or since it was added. Where the kernel tells of a
  /// few pages together, each counts as that part of them. `is_there` is asked for each page before it is touched upon.
  template <class F>
  int sweep(F&& is_there) {
    if (const int code = look()) return code;
    for (const std::size_t i : found_) {
      const page& each = pages_[i];
      if (is_there(each)) kernel_->forget(each.at, each.bytes);
    }
    return 0;
  }

  /// Ends it for all pages; those of which `is_there` says so become parts of larger mappings again.
  template <class F>
  void leave(F&& is_there) {
    for (const page& each : pages_) {
      if (is_there(each)) kernel_->set_apart(each.at, each.bytes, false);
    }
    pages_.clear();
  }

  /// Ascending by address.
  const std::vector<page>& pages() const noexcept { return pages_; }

 private:
  int look();

  page_calls* kernel_;
  std::vector<page> pages_;
  std::vector<std::size_t> found_;  // of pages_, those that the last look found accessed
  std::string text_;
};

}  // namespace jackdaw::profile
