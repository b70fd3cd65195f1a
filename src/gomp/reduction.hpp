#pragma once

#include <cstdint>

#include "gomp/team.hpp"

namespace jackdaw::gomp {

/// Begins a taskgroup of the member's task. `of_share`: for a worksharing construct's task reductions.
void open_set(member& self, bool of_share);
/// Waits for its tasks, and ends it.
void close_set(member& self) noexcept;

// Task reductions. The compiler describes one construct's in an array:
//   [0] entries  [1] bytes for one member  [2] alignment; then the address of the members' copies
//   [3] allocator, not used  [4] next array, that of a construct around this one at last
//   [5] not 0: the first array of a construct  [6] end of the copies
//   [7] and on, three for each entry: address of the original, offset of the copy within a member's bytes, not used.
// Copies begin as zero bytes; the compiler's code initialises them where a task first uses one, and combines them.

/// Makes copies for n members. `around`: the arrays of the constructs around.
void register_reductions(std::uintptr_t* data, unsigned n, std::uintptr_t* around) noexcept;
/// Says that there are no copies.
void make_no_copies(std::uintptr_t* data) noexcept;
/// Lets a member use the copies that another one has made at the same construct.
void share_reductions(std::uintptr_t* data, const std::uintptr_t* first, std::uintptr_t* around) noexcept;

}  // namespace jackdaw::gomp
