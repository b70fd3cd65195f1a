#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/loop.hpp> has moved: include <jackdaw/algorithm/loop.hpp>"
#else
#pragma message "<jackdaw/loop.hpp> has moved: include <jackdaw/algorithm/loop.hpp>"
#endif
#include "jackdaw/algorithm/loop.hpp"
