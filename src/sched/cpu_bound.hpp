#pragma once

#include "sched/engine.hpp"

namespace jackdaw::sched {

/// The number of bytes that a miss brings in.
inline constexpr std::uint64_t cache_line = 64;

/// Whether work misses so little for the instructions that it retires that the place of its data does not matter (LAWS
/// 6.6): less than a line in a hundred instructions, about half of what each core of a full machine gets from memory.
/// Declared accesses say nothing of what caches keep, and time stands for instructions: the limit is a line in 25 ns, a
/// quarter of what one core streams. If nothing was counted, no place is better than another.
inline bool is_cpu_bound(const counts& spent, evidence source) noexcept {
  const double limit = source == evidence::declared ? 0.04 : 0.01;
  return static_cast<double>(spent.misses) <= limit * static_cast<double>(spent.instructions);
}

}  // namespace jackdaw::sched
