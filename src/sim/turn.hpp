#pragma once

#include <algorithm>
#include <cstdint>

namespace jackdaw::sim {

/// Something that serves one worker at a time: a deque its thieves, a pool its users.
struct turn {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  double from = 0, until = 0;   ///< simulated ns: it is taken all of that time, as far as was asked for
  std::uint32_t last = nobody;  ///< the worker that had it last, whose cache has its lines

  /// Worker `who`, at `now`, needs it for the last `length` ns before `ends`, but not before now; for no time if it had
  /// it last. Returns by how much it ends later because others come first. Whoever is done before the next one comes
  /// need not wait for that.
  double take(std::uint32_t who, double now, double ends, double length) noexcept {
    if (last == who) return 0;
    const double begins = std::max(now, ends - length);
    if (begins + length <= from) return 0;
    const double late = std::max(0.0, until - begins);
    last = who;
    if (begins > until) from = begins;
    until = begins + late + length;
    return late;
  }
};

}  // namespace jackdaw::sim
