#pragma once

#include "tbb/layout.hpp"

namespace jackdaw::onetbb {

/// Tells the observers of the arena that the calling thread is in it, if it has not been before.
void enter(arena* in) noexcept;

}  // namespace jackdaw::onetbb
