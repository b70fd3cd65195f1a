#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/scan.hpp> has moved: include <jackdaw/algorithm/scan.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/scan.hpp> has moved: include <jackdaw/algorithm/scan.hpp>"
#endif
#include "jackdaw/algorithm/scan.hpp"
