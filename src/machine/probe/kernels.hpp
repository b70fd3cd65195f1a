#pragma once

#include <cstddef>
#include <cstdint>

/// The loops that measurements time.
namespace jackdaw::probe {

inline constexpr std::size_t line = 64;  ///< bytes of a cache line

/// Reads `words` words of 8 bytes in order, with the widest loads of this processor, and returns their sum.
std::uint64_t read_all(const std::uint64_t* data, std::size_t words) noexcept;

/// Makes one cycle through all `lines` cache lines of `data`, in an order that prefetchers do not follow. `lines` must
/// be a power of two.
void make_chain(std::uint64_t* data, std::size_t lines) noexcept;

/// Follows the chain for `steps` steps from `at`, which is 0 in a first call. Each step depends on the one before.
/// Returns the end.
std::uint64_t follow_chain(const std::uint64_t* data, std::uint64_t at, std::size_t steps) noexcept;

/// A fixed amount of integer and double work that touches no memory. compute_rate compares cores by it.
double compute() noexcept;

/// ns that compute() takes on the reference core, a Zen 4 at about 3.7 GHz: the smallest time of 450 runs on one of the
/// two virtual processors of results/performance.md, 2026-11, with g++ 12; 731 us with clang++ 19.
inline constexpr double reference_compute_ns = 738'000;

/// Keeps the compiler from removing the computation of `value`.
template <class T>
void keep(const T& value) noexcept {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace jackdaw::probe
