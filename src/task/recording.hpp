#pragma once

#include <cstddef>

namespace jackdaw::measure {
class recorder;
}

namespace jackdaw::detail {

/// What records this thread's tasks; null if nothing does.
measure::recorder* this_recorder() noexcept;

/// The running task has declared accesses to so many lines; counted by this thread's worker, if it is one.
void count_declared(std::size_t lines) noexcept;

}  // namespace jackdaw::detail
