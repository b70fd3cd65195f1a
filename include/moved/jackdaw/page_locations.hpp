#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/page_locations.hpp> has moved: include <jackdaw/memory/page_locations.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/page_locations.hpp> has moved: include <jackdaw/memory/page_locations.hpp>"
#endif
#include "jackdaw/memory/page_locations.hpp"
