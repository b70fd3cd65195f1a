#pragma once

#include <cstddef>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The result of migrate().
///
/// Bytes are counted in whole pages, even where the range covers only a part of a page. A page that could not be moved
/// stays where it is, with its contents.
struct migration {
  /// Consecutive pages that stayed on one node.
  struct left_behind {
    std::size_t offset = 0;  ///< Bytes from the beginning of the range's first page.
    std::size_t bytes = 0;   ///< Bytes that stayed.
    int node = 0;            ///< The node that the pages are on; -2: the kernel does not tell.

    /// Compares all members.
    bool operator==(const left_behind&) const = default;
  };

  unsigned node = 0;              ///< The target node.
  std::size_t moved = 0;          ///< Bytes that moved to the target node.
  std::size_t already_there = 0;  ///< Bytes that were on the target node before.
  std::size_t untouched = 0;      ///< Bytes that have no memory yet. Their placement decides where they will go.
  std::size_t failed = 0;         ///< Bytes that could not be moved.
  int error = 0;                  ///< The errno of the failure: ENOMEM (the node is full), EBUSY, EPERM or another one.
  std::vector<left_behind> stayed = {};  ///< The pages that could not be moved.

  /// Returns whether no page failed to move.
  bool complete() const noexcept { return failed == 0; }
  /// Returns the result in one line: "8388608 B moved to node 4, 4096 B could not be: ...".
  std::string text() const;
};

/// Moves the pages of a range to a memory node.
///
/// Pages that cannot be moved are reported in the result and cause no exception. On a machine that is only described no
/// page moves, and the result says so.
///
/// @param first The first byte of the range.
/// @param bytes The length of the range in bytes. Pages that the range covers in part move as a whole.
/// @param node The operating system's number of the target node.
/// @throws error if the node does not exist or may not be used.
/// @throws std::bad_alloc if there is no memory for the list of pages.
/// @par Thread safety
/// Other threads may read and write the range meanwhile.
/// @par Complexity
/// O(pages).
migration migrate(const void* first, std::size_t bytes, unsigned node);

/// Moves the elements of a contiguous range to a memory node; otherwise as
/// migrate(const void*, std::size_t, unsigned).
template <std::ranges::contiguous_range R>
  requires std::ranges::sized_range<R>
migration migrate(const R& range, unsigned node) {
  return jackdaw::migrate(std::to_address(std::ranges::begin(range)),
                          std::ranges::size(range) * sizeof(std::ranges::range_value_t<R>), node);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
