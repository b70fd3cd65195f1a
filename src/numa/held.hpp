#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace jackdaw::numa {

/// Whole pages that a placed container owns.
struct held_range {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::size_t page = 0;  ///< bytes; that of the pages it was placed in

  bool operator==(const held_range&) const = default;
};

/// The list of them in this process; it is locked when one is made or ends, and not otherwise. Throws std::bad_alloc.
void hold(const held_range& made);
/// Before the pages are given back; nothing happens if they are not in the list.
void let_go(const std::byte* data) noexcept;

/// All of them, ascending by address, and as long as the answer lives none is given back: who wants to waits. The list
/// must not be asked again meanwhile by the same thread.
struct held_now {
  std::unique_lock<std::mutex> kept;
  std::vector<held_range> ranges;
};
held_now all_held();

}  // namespace jackdaw::numa
