#pragma once

#include <jackdaw/machine.hpp>

#include <string>

namespace jackdaw::cli {

/// `kind` is the argument of `--memory`: "all", "dram" or "hbm". Restricts the memory of the calling thread, and of all
/// threads that it starts later, to nodes of that kind; "all" does nothing. Throws error for any other text, for a kind
/// that `where` does not have or that may not be used, and if the kernel refuses.
void limit_memory(const std::string& kind, const machine& where);

}  // namespace jackdaw::cli
