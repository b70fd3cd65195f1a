#pragma once

#include <string>
#include <vector>

#include "jackdaw/detail/sanitizers.hpp"
#include "jackdaw/runtime.hpp"

namespace jackdaw::test {

/// All schedulers but BATS's ablations, which are BATS with a part of it switched off.
inline std::vector<std::string> whole_schedulers() {
  std::vector<std::string> names = scheduler_names();
  std::erase_if(names, [](const std::string& name) { return name.starts_with("bats:"); });
  return names;
}

/// All; under sanitizers, which take their time, the whole ones.
inline std::vector<std::string> all_schedulers() {
#if defined(JACKDAW_ASAN) || defined(JACKDAW_TSAN)
  return whole_schedulers();
#else
  return scheduler_names();
#endif
}

}  // namespace jackdaw::test
