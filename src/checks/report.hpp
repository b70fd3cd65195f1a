#pragma once

#include "checks/held.hpp"

namespace jackdaw::checks {

/// What is found ends the program, or is only said.
void set_aborts(bool aborts) noexcept;

/// Says on stderr that the running task's thread leaves it, in the function whose callers begin with `site`, while
/// something is held.
void report_left(const holding& held, const void* site, const void* base) noexcept;
/// Says that a task that holds something goes on on the calling thread, at `site` (null: not known).
void report_moved(const holding& held, const void* site) noexcept;

}  // namespace jackdaw::checks
