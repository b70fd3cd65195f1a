#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/placed_resource.hpp> has moved: include <jackdaw/memory/placed_resource.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/placed_resource.hpp> has moved: include <jackdaw/memory/placed_resource.hpp>"
#endif
#include "jackdaw/memory/placed_resource.hpp"
