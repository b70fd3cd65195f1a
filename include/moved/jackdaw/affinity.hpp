#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/affinity.hpp> has moved: include <jackdaw/memory/affinity.hpp>"
#else
#pragma message "<jackdaw/affinity.hpp> has moved: include <jackdaw/memory/affinity.hpp>"
#endif
#include "jackdaw/memory/affinity.hpp"
