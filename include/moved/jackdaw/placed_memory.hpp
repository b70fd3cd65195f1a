#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/placed_memory.hpp> has moved: include <jackdaw/memory/placed_memory.hpp>"
#else
#pragma message "<jackdaw/placed_memory.hpp> has moved: include <jackdaw/memory/placed_memory.hpp>"
#endif
#include "jackdaw/memory/placed_memory.hpp"
