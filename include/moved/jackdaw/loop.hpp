#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/loop.hpp> has moved: include <jackdaw/algorithm/loop.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/loop.hpp> has moved: include <jackdaw/algorithm/loop.hpp>"
#endif
#include "jackdaw/algorithm/loop.hpp"
