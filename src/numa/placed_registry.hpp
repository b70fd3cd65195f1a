#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace jackdaw::numa {

/// Whole pages that a placed container owns.
struct held_range {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::size_t page = 0;  ///< bytes of a page of the placement

  bool operator==(const held_range&) const = default;
};

/// Adds a range to this process's list. The list is locked only when a container is made or ends. Throws
/// std::bad_alloc.
void hold(const held_range& made);
/// Removes a range, if it is in the list, before its pages are unmapped.
void let_go(const std::byte* data) noexcept;

/// All ranges, ascending by address. The snapshot holds the list's lock, so that no range can be unmapped while it
/// lives. The same thread must not ask for another one meanwhile.
struct held_now {
  std::unique_lock<std::mutex> kept;
  std::vector<held_range> ranges;
};
held_now all_held();

}  // namespace jackdaw::numa
