#include "machine/compute_rate.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

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

}  // namespace

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
