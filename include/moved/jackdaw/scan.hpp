#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/scan.hpp> has moved: include <jackdaw/algorithm/scan.hpp>"
#else
#pragma message "<jackdaw/scan.hpp> has moved: include <jackdaw/algorithm/scan.hpp>"
#endif
#include "jackdaw/algorithm/scan.hpp"
