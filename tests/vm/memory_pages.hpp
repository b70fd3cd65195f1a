#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace jackdaw::test {

/// The OS number of each page's node, from the kernel; negative (an errno) for an untouched page.
std::vector<int> nodes_of(std::span<const std::byte> whole_pages);

/// Untouched memory in small pages: a page is on the node of the CPU that touches it first.
class memory_pages {
 public:
  static constexpr std::size_t page_bytes = 4096;

  explicit memory_pages(std::size_t count);
  ~memory_pages();
  memory_pages(const memory_pages&) = delete;
  memory_pages& operator=(const memory_pages&) = delete;

  std::size_t count() const noexcept { return count_; }
  /// The bytes of pages [first, last).
  std::span<std::byte> bytes(std::size_t first, std::size_t last) const noexcept {
    return {data_ + first * page_bytes, (last - first) * page_bytes};
  }
  std::vector<int> nodes(std::size_t first, std::size_t last) const { return nodes_of(bytes(first, last)); }

 private:
  std::size_t count_;
  std::byte* data_;
};

/// The calling thread's CPU and the node that it belongs to, as the OS numbers them.
struct whereabouts {
  unsigned cpu = 0;
  unsigned node = 0;

  static whereabouts now();
};

}  // namespace jackdaw::test
