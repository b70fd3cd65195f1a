#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/reduce.hpp> has moved: include <jackdaw/algorithm/reduce.hpp>"
#else
#pragma message "<jackdaw/reduce.hpp> has moved: include <jackdaw/algorithm/reduce.hpp>"
#endif
#include "jackdaw/algorithm/reduce.hpp"
