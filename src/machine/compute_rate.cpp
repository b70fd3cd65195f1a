#include "machine/compute_rate.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "jackdaw/detail/vectors.hpp"

namespace jackdaw::detail {
namespace {

double fixed_loop() noexcept {
  std::uint64_t state = 0x9e3779b97f4a7c15U;
  // Keeps the compiler from computing the result once for all calls.
  asm volatile("" : "+r"(state) : : "memory");
  double a = 1, b = 2, c = 3, d = 4;
  for (int i = 0; i < 400'000; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const auto x = static_cast<double>(state >> 40);
    a = a * 0.999 + x;
    b = b * 0.998 + x;
    c = c * 0.997 - x;
    d = d * 0.996 - x;
  }
  return a + b + c + d;
}

// As many independent chains as two units need, each with a latency of four cycles, and that fit 16 registers.
constexpr int chains = 10;
constexpr int vector_rounds = 10'000;

using lanes_2 [[gnu::vector_size(16)]] = double;
using lanes_4 [[gnu::vector_size(32)]] = double;
using lanes_8 [[gnu::vector_size(64)]] = double;

/// Returns a result that depends on all of the work. It has to be inlined where vectors of that size are allowed.
template <class Lanes>
[[gnu::always_inline]] inline double vector_loop() noexcept {
  Lanes sums[chains];
  Lanes factor{}, term{};
  // Keeps the compiler from computing the result.
  double start = 0.5;
  asm volatile("" : "+m"(start));
  factor += start;
  term += start;
#pragma GCC unroll 10
  for (int i = 0; i < chains; ++i) sums[i] = factor + i;
  for (int round = 0; round < vector_rounds; ++round) {
#pragma GCC unroll 10
    for (int i = 0; i < chains; ++i) sums[i] = sums[i] * factor + term;
  }
  Lanes all{};
#pragma GCC unroll 10
  for (int i = 0; i < chains; ++i) all += sums[i];
  double result = 0;
  for (unsigned i = 0; i < sizeof(Lanes) / sizeof(double); ++i) result += all[i];
  return result;
}

/// Runs the loop for these vectors and returns how many operations it does.
double run_vector_loop(vectors which) noexcept {
  double result = 0;
  std::size_t lanes = 2;
#if defined(__x86_64__)
  if (which == vectors::avx512) {
    lanes = 8;
    result = in_avx512([]() __attribute__((always_inline)) { return vector_loop<lanes_8>(); });
  } else if (which == vectors::avx2) {
    lanes = 4;
    result = in_avx2([]() __attribute__((always_inline)) { return vector_loop<lanes_4>(); });
  }
#endif
  if (lanes == 2) result = vector_loop<lanes_2>();
  static_cast<void>(which);
  asm volatile("" : : "r,m"(result) : "memory");
  return 2.0 * chains * vector_rounds * static_cast<double>(lanes);
}

}  // namespace

double most_vector_flops_per_ns(unsigned runs) noexcept {
  using clock = std::chrono::steady_clock;
  double best = 0;
  for (unsigned i = 0; i < runs; ++i) {
    const clock::time_point start = clock::now();
    const double done = run_vector_loop(widest_vectors());
    best = std::max(best, done / std::chrono::duration<double, std::nano>(clock::now() - start).count());
  }
  return best;
}

double vector_rate_here() noexcept { return most_vector_flops_per_ns(200) / reference_vector_flops_per_ns; }

double shortest_loop_ns(unsigned runs) noexcept {
  using clock = std::chrono::steady_clock;
  double shortest = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < runs; ++i) {
    const clock::time_point start = clock::now();
    const double result = fixed_loop();
    // Keeps the compiler from removing the loop, or moving it over the clock.
    asm volatile("" : : "r,m"(result) : "memory");
    shortest = std::min(shortest, std::chrono::duration<double, std::nano>(clock::now() - start).count());
  }
  return shortest;
}

double compute_rate_here() noexcept { return reference_loop_ns / shortest_loop_ns(30); }

}  // namespace jackdaw::detail
