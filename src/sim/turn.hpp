#pragma once

#include <algorithm>
#include <cstdint>

namespace jackdaw::sim {

/// Something that serves one worker at a time: a deque its thieves, a pool, a lock of the scheduler.
struct turn {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  double free_at = 0;           ///< simulated ns
  std::uint32_t last = nobody;  ///< the worker that had it last, whose cache has its lines

  /// Worker `who`, at `now`, needs it for the last `length` ns before `ends`, but not before now; for no time if it had
  /// it last. Returns by how much it ends later because others come first.
  double take(std::uint32_t who, double now, double ends, double length) noexcept {
    if (last == who) length = 0;
    last = who;
    const double begins = std::max(now, ends - length);
    const double late = std::max(0.0, free_at - begins);
    free_at = begins + late + length;
    return late;
  }
};

}  // namespace jackdaw::sim
