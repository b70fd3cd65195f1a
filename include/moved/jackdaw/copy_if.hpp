#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/copy_if.hpp> has moved: include <jackdaw/algorithm/copy_if.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/copy_if.hpp> has moved: include <jackdaw/algorithm/copy_if.hpp>"
#endif
#include "jackdaw/algorithm/copy_if.hpp"
