#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/reduce.hpp> has moved: include <jackdaw/algorithm/reduce.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/reduce.hpp> has moved: include <jackdaw/algorithm/reduce.hpp>"
#endif
#include "jackdaw/algorithm/reduce.hpp"
