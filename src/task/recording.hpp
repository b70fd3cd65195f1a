#pragma once

#include <cstdint>

namespace jackdaw::measure {
class recorder;
}

namespace jackdaw::detail {

/// What records this thread's tasks; null if nothing does.
measure::recorder* this_recorder() noexcept;

/// What the running task declares to access; `end` - `begin` is more than the lines hold if those are apart.
struct declared_access {
  std::uintptr_t begin = 0, end = 0;
  std::uint64_t lines = 0;  ///< of 64 bytes
  bool write = false;
};

/// The running task has declared that; counted by this thread's worker, if it is one.
void count_declared(const declared_access& what) noexcept;

}  // namespace jackdaw::detail
