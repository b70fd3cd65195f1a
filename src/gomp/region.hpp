#pragma once

#include "gomp/team.hpp"

namespace jackdaw::gomp {

/// What GOMP_cancel is asked to cancel.
enum : int { cancels_parallel = 1, cancels_loop = 2, cancels_sections = 4, cancels_taskgroup = 8 };

team& choose_team(void (*function)(void*), void* data, unsigned threads, task_set* set);
void call_members(team& in, unsigned flags);

/// Opens a region: the calling thread is its member 0 from now on, and has to call `function` itself. `threads`: 0 if
/// the program does not say how many. `set`: what its implicit tasks begin in.
/// `prepare` is told the team's size, and is called before any member begins.
template <class Prepare>
void open_region(void (*function)(void*), void* data, unsigned threads, unsigned flags, task_set* set,
                 const Prepare& prepare) {
  team& in = choose_team(function, data, threads, set);
  prepare(in.size);
  call_members(in, flags);
}

/// Calls the function outside of all regions, wherever the thread is: as one in a target region. `limit`: how many
/// threads its regions may have; 0: as many as those of other threads that come from outside.
void call_outside(void (*function)(void*), void* data, unsigned limit) noexcept;

/// Waits for the other members. The thread is what it was before.
void close_region() noexcept;

}  // namespace jackdaw::gomp
