#pragma once

#include "sched/engine.hpp"

namespace jackdaw::sched {

/// What a miss brings in, in bytes.
inline constexpr std::uint64_t cache_line = 64;

/// Whether work misses so little for the instructions that it retires that it does not matter where its data are (LAWS
/// 6.6): less than a line in a hundred instructions, about half of what each core of a full machine gets from memory.
/// Accesses that are declared say nothing of what caches keep, and time stands for instructions: there it is less than
/// a line in 25 ns, a quarter of what one core streams. Where nothing was counted there is nothing to be near to.
inline bool is_cpu_bound(const counts& spent, evidence source) noexcept {
  const double limit = source == evidence::declared ? 0.04 : 0.01;
  return static_cast<double>(spent.misses) <= limit * static_cast<double>(spent.instructions);
}

}  // namespace jackdaw::sched
