#pragma once

#include <cstddef>
#include <cstdint>

/// The loops that measurements time.
namespace jackdaw::probe {

inline constexpr std::size_t line = 64;  ///< bytes of a cache line

/// Reads `words` words of 8 bytes, in order and with the widest loads that this processor has; their sum.
std::uint64_t read_all(const std::uint64_t* data, std::size_t words) noexcept;

/// Makes one cycle through all `lines` cache lines of `data`, which must be a power of two, in an order that
/// prefetchers do not follow.
void make_chain(std::uint64_t* data, std::size_t lines) noexcept;

/// Follows the chain from `at`, where it may begin at 0, for so many steps, each of which waits for the one before;
/// where it ends.
std::uint64_t follow_chain(const std::uint64_t* data, std::uint64_t at, std::size_t steps) noexcept;

/// A fixed amount of integer and double work that touches no memory: what compute_rate compares cores by.
double compute() noexcept;

/// ns that compute() takes on the reference core, a Zen 4 at about 3.7 GHz: the smallest time of 450 runs on one of the
/// two virtual processors of results/performance.md, 2026-11, with g++ 12; 731 us with clang++ 19.
inline constexpr double reference_compute_ns = 738'000;

/// Keeps the compiler from leaving out what `value` is the result of.
template <class T>
void keep(const T& value) noexcept {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace jackdaw::probe
