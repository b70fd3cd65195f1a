#pragma once

#include <string>

#include "store/stats_hooks.hpp"

namespace jackdaw::detail {

/// Opens libjackdaw-stats.so, once in a process; it is never closed. It is looked for beside the file that this code is
/// in (the library, or a program that contains it), in lib beside that folder and beside the one above, and then as any
/// library is (LD_LIBRARY_PATH). Throws error, which names `where`, if it is not found or is of another version.
const store::stats_hooks& stats_library(const std::string& where);

}  // namespace jackdaw::detail
