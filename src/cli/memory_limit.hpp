#pragma once

#include <jackdaw/machine.hpp>

#include <string>

namespace jackdaw::cli {

/// Reads "all", "dram" or "hbm" of `--memory`, and has the calling thread, and all threads that it starts later, touch
/// memory on nodes of that kind only; "all" does nothing. Throws error for anything else, for a kind that `where` does
/// not have or that may not be used, and where the system refuses.
void limit_memory(const std::string& kind, const machine& where);

}  // namespace jackdaw::cli
