#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#warnings"
#pragma clang diagnostic ignored "-Wpedantic"
#warning "<jackdaw/migration.hpp> has moved: include <jackdaw/memory/migration.hpp>"
#pragma clang diagnostic pop
#else
#pragma message "<jackdaw/migration.hpp> has moved: include <jackdaw/memory/migration.hpp>"
#endif
#include "jackdaw/memory/migration.hpp"
