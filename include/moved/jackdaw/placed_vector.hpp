#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/placed_vector.hpp> has moved: include <jackdaw/memory/placed_vector.hpp>"
#else
#pragma message "<jackdaw/placed_vector.hpp> has moved: include <jackdaw/memory/placed_vector.hpp>"
#endif
#include "jackdaw/memory/placed_vector.hpp"
