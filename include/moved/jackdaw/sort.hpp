#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/sort.hpp> has moved: include <jackdaw/algorithm/sort.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/sort.hpp> has moved: include <jackdaw/algorithm/sort.hpp>"
#endif
#include "jackdaw/algorithm/sort.hpp"
