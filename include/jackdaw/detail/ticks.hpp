#pragma once

#include <chrono>
#include <cstdint>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// A clock that takes a few nanoseconds to read and runs at a constant rate, the same on all processors. It has no
/// unit.
inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t now;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// The number of ticks in about half a millisecond (between a quarter and a whole one).
inline std::uint64_t half_a_millisecond_of_ticks() noexcept {
#if defined(__x86_64__)
  return std::uint64_t{1} << 20;
#elif defined(__aarch64__)
  std::uint64_t a_second;
  asm("mrs %0, cntfrq_el0" : "=r"(a_second));
  return a_second / 2048 + 1;
#else
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::microseconds(500)).count());
#endif
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
