#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/for_each.hpp> has moved: include <jackdaw/algorithm/for_each.hpp>"
#else
#pragma message "<jackdaw/for_each.hpp> has moved: include <jackdaw/algorithm/for_each.hpp>"
#endif
#include "jackdaw/algorithm/for_each.hpp"
