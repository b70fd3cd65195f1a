#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/migration.hpp> has moved: include <jackdaw/memory/migration.hpp>"
#else
#pragma message "<jackdaw/migration.hpp> has moved: include <jackdaw/memory/migration.hpp>"
#endif
#include "jackdaw/memory/migration.hpp"
