#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jackdaw::numa {

/// Memory that the program has named.
struct named_range {
  std::uintptr_t begin = 0, end = 0;
  std::string name;
};
/// The same with its time, in changes of names (name_changes).
struct timed_name : named_range {
  std::uint64_t given = 0;                       ///< by this change
  mutable std::atomic<std::uint64_t> ended = 0;  ///< by this change; 0: it has not ended
  mutable std::atomic<bool> placed = false;      ///< it ended with a container that the program had placed on nodes
};
/// For those who keep it beyond its end. Two are the same naming if they are the same object.
using naming = std::shared_ptr<const timed_name>;

/// Names memory; earlier names of any part of it end. An empty name only ends them. Throws std::bad_alloc.
naming name_range(std::uintptr_t begin, std::uintptr_t end, std::string_view name);
/// Ends a name, if it has not ended yet. Throws nothing.
void end_name(const naming& which) noexcept;
/// Ends all names of any part of this memory, which is about to be unmapped. `placed`: the program has said on which
/// nodes it is.
void end_names(std::uintptr_t begin, std::uintptr_t end, bool placed) noexcept;

/// How often a name was given or ended. A thread that sees the same number as before need not ask again for names of
/// its own memory.
std::uint64_t name_changes() noexcept;
/// Returns the first name of any part of this memory; null: it has none. Throws std::bad_alloc.
naming name_of(std::uintptr_t begin, std::uintptr_t end);
/// All named memory, ascending by address; the ranges are disjoint. Throws std::bad_alloc.
std::vector<named_range> named_ranges();

}  // namespace jackdaw::numa
