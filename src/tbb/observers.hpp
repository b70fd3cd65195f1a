#pragma once

#include "tbb/layout.hpp"

namespace jackdaw::onetbb {

/// Tells the observers of the arena that the calling thread is in it, if it has not been before.
void enter(arena* in) noexcept;

/// Called in the child of a fork().
void forget_observers() noexcept;

}  // namespace jackdaw::onetbb
