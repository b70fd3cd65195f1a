#pragma once

#include <cstddef>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace jackdaw {

/// What became of moving a range to a node. Bytes are those of whole pages, also where the range holds a part of one.
/// A page that could not be moved stays where it is, with what it holds.
struct migration {
  /// Consecutive pages that stay on one node.
  struct left_behind {
    std::size_t offset = 0;  ///< bytes from the begin of the range's first page
    std::size_t bytes = 0;
    int node = 0;  ///< where they still are; -2: the kernel does not tell

    bool operator==(const left_behind&) const = default;
  };

  unsigned node = 0;              ///< that the range was to go to
  std::size_t moved = 0;          ///< bytes
  std::size_t already_there = 0;  ///< bytes
  std::size_t untouched = 0;      ///< bytes that have no memory yet: they go where their placement says
  std::size_t failed = 0;         ///< bytes
  int error = 0;                  ///< errno of what stopped the failed ones: ENOMEM (the node is full), EBUSY, EPERM...
  std::vector<left_behind> stayed = {};  ///< the failed ones

  bool complete() const noexcept { return failed == 0; }
  /// "8388608 B moved to node 4, 4096 B could not be: ..."; one line.
  std::string text() const;
};

/// Moves the pages of `bytes` bytes from `first` on to a node; other threads may read and write them meanwhile. What
/// cannot be moved is told in the result and is no exception. Throws error for a node that does not exist or may not be
/// used, std::bad_alloc.
migration migrate(const void* first, std::size_t bytes, unsigned node);

template <std::ranges::contiguous_range R>
  requires std::ranges::sized_range<R>
migration migrate(const R& range, unsigned node) {
  return jackdaw::migrate(std::to_address(std::ranges::begin(range)),
                          std::ranges::size(range) * sizeof(std::ranges::range_value_t<R>), node);
}

}  // namespace jackdaw

#pragma GCC visibility pop
