#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/placed_array.hpp> has moved: include <jackdaw/memory/placed_array.hpp>"
#else
#pragma message "<jackdaw/placed_array.hpp> has moved: include <jackdaw/memory/placed_array.hpp>"
#endif
#include "jackdaw/memory/placed_array.hpp"
