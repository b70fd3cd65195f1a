#pragma once

namespace jackdaw::detail {

/// ns that the loop of shortest_loop_ns() takes on the reference core, a Zen 4 at about 3.7 GHz: the smallest time of
/// 450 runs on a virtual processor of results/performance.md, 2026-11, with g++ 12; 731 us with clang++ 19.
inline constexpr double reference_loop_ns = 738'000;

/// Runs a fixed amount of integer and double work that touches no memory, and returns the shortest of `runs` times, in
/// ns, on the calling thread's processor.
double shortest_loop_ns(unsigned runs) noexcept;

/// Measures the work that this computer's cores do per ns, in the unit of machine_model::compute_rate, on the calling
/// thread's processor. Takes about 25 ms.
double compute_rate_here() noexcept;

/// What the reference core does at most: 16 multiplications or additions of doubles a cycle, by two units for
/// multiply-adds of 256 bits (AMD's optimization guide for Zen 4), at 3.7 GHz.
inline constexpr double reference_vector_flops_per_ns = 16 * 3.7;

/// Measures the multiplications and additions of doubles that this processor does in a ns in its widest vectors, all of
/// them in registers: the best of `runs` rounds of about 30 us.
double most_vector_flops_per_ns(unsigned runs) noexcept;

/// Measures the vector work that this computer's cores do per ns, in the unit of machine_model::vector_rate, on the
/// calling thread's processor. Takes a few ms.
double vector_rate_here() noexcept;

}  // namespace jackdaw::detail
