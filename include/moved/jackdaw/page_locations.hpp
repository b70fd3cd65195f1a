#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/page_locations.hpp> has moved: include <jackdaw/memory/page_locations.hpp>"
#else
#pragma message "<jackdaw/page_locations.hpp> has moved: include <jackdaw/memory/page_locations.hpp>"
#endif
#include "jackdaw/memory/page_locations.hpp"
