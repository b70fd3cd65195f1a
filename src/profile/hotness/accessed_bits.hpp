#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/hotness/page_calls.hpp"

namespace jackdaw::profile {

/// Pages whose accessed bits are repeatedly read and cleared.
class accessed_bits {
 public:
  struct page {
    std::uintptr_t at = 0;
    std::size_t bytes = 0;
    std::uint32_t area = 0;  ///< chosen by the caller
    double seen = 0;         ///< the number of sweeps that found it accessed
  };

  explicit accessed_bits(page_calls& kernel) : kernel_(&kernel) {}

  /// Watches more pages from now on; earlier accesses do not count. Their memory is mapped. Returns 0, or the errno of
  /// the kernel's refusal; then none of them is watched.
  int add(std::vector<page> more);

  /// Adds 1 to `seen` of each page accessed since the last sweep, or since it was added. If the kernel reports several
  /// pages together, each counts as its fraction. `is_there` is called for each page before anything is done to it.
  template <class F>
  int sweep(F&& is_there) {
    if (const int code = look()) return code;
    for (const std::size_t i : found_) {
      const page& each = pages_[i];
      if (is_there(each)) kernel_->forget(each.at, each.bytes);
    }
    return 0;
  }

  /// Stops watching all pages. Pages for which `is_there` is true become parts of larger mappings again.
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
  std::vector<std::size_t> found_;  // indices into pages_ that the last look found accessed
  std::string text_;
};

}  // namespace jackdaw::profile
