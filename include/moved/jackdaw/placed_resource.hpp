#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/placed_resource.hpp> has moved: include <jackdaw/memory/placed_resource.hpp>"
#else
#pragma message "<jackdaw/placed_resource.hpp> has moved: include <jackdaw/memory/placed_resource.hpp>"
#endif
#include "jackdaw/memory/placed_resource.hpp"
