#pragma once

// What each compiler shows from an installed header, too.
#ifdef __clang__
#warning "<jackdaw/placement_report.hpp> has moved: include <jackdaw/memory/placement_report.hpp>"
#else
#pragma message "<jackdaw/placement_report.hpp> has moved: include <jackdaw/memory/placement_report.hpp>"
#endif
#include "jackdaw/memory/placement_report.hpp"
