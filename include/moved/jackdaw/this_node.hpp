#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/this_node.hpp> has moved: include <jackdaw/memory/this_node.hpp>"
#else
#pragma message "<jackdaw/this_node.hpp> has moved: include <jackdaw/memory/this_node.hpp>"
#endif
#include "jackdaw/memory/this_node.hpp"
