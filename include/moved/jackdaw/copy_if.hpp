#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/copy_if.hpp> has moved: include <jackdaw/algorithm/copy_if.hpp>"
#else
#pragma message "<jackdaw/copy_if.hpp> has moved: include <jackdaw/algorithm/copy_if.hpp>"
#endif
#include "jackdaw/algorithm/copy_if.hpp"
