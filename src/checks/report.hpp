#pragma once

#include "checks/held.hpp"

namespace jackdaw::checks {

/// Whether a finding aborts the program or is only reported.
void set_aborts(bool aborts) noexcept;

/// Reports on stderr that the running task's thread leaves it while it holds something. `site`: the first of the
/// callers of the function in which that happens.
void report_left(const holding& held, const void* site, const void* base) noexcept;
/// Reports that a task that holds something resumes on the calling thread, at `site` (null: unknown).
void report_moved(const holding& held, const void* site) noexcept;

}  // namespace jackdaw::checks
