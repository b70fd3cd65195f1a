#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/placement.hpp> has moved: include <jackdaw/memory/placement.hpp>"
#else
#pragma message "<jackdaw/placement.hpp> has moved: include <jackdaw/memory/placement.hpp>"
#endif
#include "jackdaw/memory/placement.hpp"
