#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/replicated.hpp> has moved: include <jackdaw/memory/replicated.hpp>"
#else
#pragma message "<jackdaw/replicated.hpp> has moved: include <jackdaw/memory/replicated.hpp>"
#endif
#include "jackdaw/memory/replicated.hpp"
