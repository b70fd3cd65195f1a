#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/placement.hpp> has moved: include <jackdaw/memory/placement.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/placement.hpp> has moved: include <jackdaw/memory/placement.hpp>"
#endif
#include "jackdaw/memory/placement.hpp"
