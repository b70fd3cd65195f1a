#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "jackdaw/runtime.hpp"
#include "support/sanitized.hpp"

namespace jackdaw::test {

/// All schedulers but BATS's ablations, which are BATS with a part of it switched off.
inline std::vector<std::string> whole_schedulers() {
  std::vector<std::string> names = scheduler_names();
  std::erase_if(names, [](const std::string& name) { return name.starts_with("bats:"); });
  return names;
}

/// All schedulers; under sanitizers, which are slow, without the ablations.
inline std::vector<std::string> every_scheduler() { return sanitized ? whole_schedulers() : scheduler_names(); }

/// For tests of the programs that schedulers run: without the ablations; under sanitizers one of each kind.
inline std::vector<std::string> diverse_schedulers() {
  return sanitized ? std::vector<std::string>{"random", "auto", "constrained", "cab", "bats"} : whole_schedulers();
}

/// A scheduler's name as a part of a test's.
inline std::string word(std::string name) {
  std::replace_if(name.begin(), name.end(), [](char c) { return c == ':' || c == '-'; }, '_');
  return name;
}

}  // namespace jackdaw::test
