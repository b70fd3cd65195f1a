#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "numa/movers_lock.hpp"

namespace jackdaw::numa {

/// Whole pages that a placed container owns.
struct held_range {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::size_t page = 0;      ///< bytes of a page of the placement
  bool placed = false;       ///< the program has said on which nodes they are
  std::uint64_t number = 0;  ///< given by hold(), > 0; no other range has had it

  bool operator==(const held_range&) const = default;
};

/// Adds a range to this process's list. The list is locked only when a container is made or ends. Throws
/// std::bad_alloc.
void hold(const held_range& made);
/// Removes a range, if it is in the list, before its pages are unmapped. Names of its memory end.
void let_go(const std::byte* data) noexcept;
/// Notes that the program has said on which nodes these bytes are: they are `placed` if they are part of a range.
void note_placed(const void* first, std::size_t bytes) noexcept;

/// All ranges, ascending by address. The snapshot holds the list's lock, so that no range can be unmapped while it
/// lives. The same thread must not ask for another one meanwhile.
struct held_now {
  std::unique_lock<movers_lock> kept;
  std::vector<held_range> ranges;
  bool placed_elsewhere = false;  ///< the program has placed data that are in no range
};
held_now all_held();

/// Which pages a scheduler moves.
enum class movable : std::uint8_t {
  all,
  not_placed,  ///< those of which the program has not said on which nodes they are
};
/// Locks the list as held_now does, but together with other movers, if these pages are `which`, and all belong to the
/// range of that number (0: none to any range). Else the answer owns no lock: what is there now is something else, or
/// has to stay.
std::shared_lock<movers_lock> lock_pages(const std::byte* first, std::size_t bytes, std::uint64_t number,
                                         movable which);

}  // namespace jackdaw::numa
