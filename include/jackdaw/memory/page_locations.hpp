#pragma once

#include <cstddef>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Returns the size of the smallest pages in bytes.
std::size_t base_page_size() noexcept;

/// The memory nodes that the pages of a range are on; the result of where().
struct page_locations {
  /// The part of a range that is on one node.
  struct share {
    unsigned node = 0;      ///< The operating system's number of the node.
    std::size_t bytes = 0;  ///< Bytes of the range on this node.

    /// Compares all members.
    bool operator==(const share&) const = default;
  };

  static constexpr int untouched_page = -1;  ///< Stands for a page that has no memory yet, as it was never written to.
  static constexpr int unknown_page = -2;    ///< Stands for a page of which the kernel does not tell the node.

  std::size_t page = 0;         ///< The size of a page in bytes. The range may cover its first and last page in part.
  std::vector<int> nodes = {};  ///< The node of each page of the range, in order; or one of the two values above.
  std::vector<share> shares = {};  ///< The bytes on each node that holds any of them, ascending by node.
  std::size_t untouched = 0;       ///< Bytes of the range that have no memory yet.
  std::size_t unknown = 0;         ///< Bytes of the range whose node is unknown.
  int refusal = 0;                 ///< The errno if the kernel refuses to tell; otherwise 0.

  /// Returns the bytes of the range that are on a node.
  std::size_t on(unsigned node) const noexcept;
  /// Returns the locations in one line: "node 0: 4096 B, node 4: 8192 B, untouched: 4096 B".
  std::string text() const;
};

/// Returns the memory nodes that the pages of a range are on, as the kernel reports them. The call touches no page.
///
/// @param first The first byte of the range.
/// @param bytes The length of the range in bytes.
/// @throws std::bad_alloc if there is no memory for the list of pages.
/// @par Complexity
/// O(pages), with one system call (move_pages) for up to 4096 pages. Where that is refused, each page takes system
/// calls of its own.
page_locations where(const void* first, std::size_t bytes);

/// Returns the memory nodes that the elements of a contiguous range are on; otherwise as
/// where(const void*, std::size_t).
template <std::ranges::contiguous_range R>
  requires std::ranges::sized_range<R>
page_locations where(const R& range) {
  return jackdaw::where(std::to_address(std::ranges::begin(range)),
                        std::ranges::size(range) * sizeof(std::ranges::range_value_t<R>));
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
