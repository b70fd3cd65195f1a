#pragma once

#include <cstdint>

namespace jackdaw::sched {

/// What a user may tell a scheduler of the program; 0: nothing.
struct settings {
  std::uint64_t data = 0;  ///< bytes that an iteration works on (CAB's Sd)
  unsigned branching = 0;  ///< children that a task forks (CAB's B)
};

}  // namespace jackdaw::sched
