#pragma once

#include <cstddef>

namespace jackdaw::onetbb {

/// Whether a task's exception ends the program (global_control::terminate_on_exception).
bool terminates_on_exception() noexcept;
/// Returns how many workers run what comes from outside of all arenas; 0: all.
unsigned allowed_parallelism() noexcept;

/// Called in the child of a fork().
void forget_controls() noexcept;

/// Called before the default runtime is used: sets its options, the first time.
void prepare_default_runtime();

}  // namespace jackdaw::onetbb
