#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/this_node.hpp> has moved: include <jackdaw/memory/this_node.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/this_node.hpp> has moved: include <jackdaw/memory/this_node.hpp>"
#endif
#include "jackdaw/memory/this_node.hpp"
