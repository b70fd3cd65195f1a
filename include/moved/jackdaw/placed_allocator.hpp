#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/placed_allocator.hpp> has moved: include <jackdaw/memory/placed_allocator.hpp>"
#else
#pragma message "<jackdaw/placed_allocator.hpp> has moved: include <jackdaw/memory/placed_allocator.hpp>"
#endif
#include "jackdaw/memory/placed_allocator.hpp"
