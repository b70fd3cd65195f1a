#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/replicated.hpp> has moved: include <jackdaw/memory/replicated.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/replicated.hpp> has moved: include <jackdaw/memory/replicated.hpp>"
#endif
#include "jackdaw/memory/replicated.hpp"
