#pragma once

#include <cstddef>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace jackdaw {

/// Bytes of the smallest pages.
std::size_t base_page_size() noexcept;

/// Where the pages of a range are, as the kernel says (move_pages).
struct page_locations {
  struct share {
    unsigned node = 0;  ///< as the operating system numbers it
    std::size_t bytes = 0;

    bool operator==(const share&) const = default;
  };

  static constexpr int untouched_page = -1;  ///< no memory yet: nobody has written to it
  static constexpr int unknown_page = -2;    ///< the kernel does not tell

  std::size_t page = 0;            ///< bytes of a page; the first and the last one may lie in the range in part
  std::vector<int> nodes = {};     ///< of each page that the range touches, in order; or one of the two above
  std::vector<share> shares = {};  ///< bytes of the range on each node that has any; ascending by node
  std::size_t untouched = 0;       ///< bytes of the range
  std::size_t unknown = 0;         ///< bytes of the range
  int refusal = 0;                 ///< errno of the kernel where it does not tell; 0: it does

  /// Bytes of the range on a node.
  std::size_t on(unsigned node) const noexcept;
  /// "node 0: 4096 B, node 4: 8192 B, untouched: 4096 B"; one line.
  std::string text() const;
};

/// Where `bytes` bytes from `first` on are. Asking changes nothing. Throws std::bad_alloc.
page_locations where(const void* first, std::size_t bytes);

/// Where the elements of an array, a span, a vector, ... are.
template <std::ranges::contiguous_range R>
  requires std::ranges::sized_range<R>
page_locations where(const R& range) {
  return jackdaw::where(std::to_address(std::ranges::begin(range)),
                        std::ranges::size(range) * sizeof(std::ranges::range_value_t<R>));
}

}  // namespace jackdaw

#pragma GCC visibility pop
