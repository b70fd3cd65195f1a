#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/sort.hpp> has moved: include <jackdaw/algorithm/sort.hpp>"
#else
#pragma message "<jackdaw/sort.hpp> has moved: include <jackdaw/algorithm/sort.hpp>"
#endif
#include "jackdaw/algorithm/sort.hpp"
