#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/for_each.hpp> has moved: include <jackdaw/algorithm/for_each.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/for_each.hpp> has moved: include <jackdaw/algorithm/for_each.hpp>"
#endif
#include "jackdaw/algorithm/for_each.hpp"
