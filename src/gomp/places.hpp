#pragma once

#include <cstddef>
#include <vector>

#include "gomp/team.hpp"

namespace jackdaw::gomp {

/// Says where the members of a region that begins are to run. `self`: who opens it. `wanted`: the region's proc_bind
/// clause; 0: it has none.
void place_members(member& self, team& in, unsigned wanted) noexcept;

/// Binds the calling thread to that place of OMP_PLACES; -1: to all processors that the process may use.
void bind_to_place(int place) noexcept;

/// Moves the calling thread to another processor, if it may use any. Two threads of a team that share one, while they
/// have as many as they are, wait for each other in turn; the kernel, which sees one awake at a time, leaves them so.
void leave_processor(int which) noexcept;

/// Processors that the calling thread may use, by number.
std::vector<unsigned> usable_processors();

/// Bytes of a thread's stack that nobody says anything about.
std::size_t system_stack_size() noexcept;

/// Reads OMP_PLACES. Throws error.
std::vector<std::vector<unsigned>> parse_places(const char* text, const std::vector<unsigned>& usable);

}  // namespace jackdaw::gomp
