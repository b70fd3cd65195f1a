#include "machine/probe/kernels.hpp"

#include <jackdaw/detail/vectors.hpp>

namespace jackdaw::probe {
namespace {

constexpr std::size_t words_in_line = line / sizeof(std::uint64_t);

// Eight lines at a time, so that additions do not wait for each other.
[[gnu::always_inline]] inline std::uint64_t sum(const std::uint64_t* data, std::size_t words) noexcept {
  constexpr std::size_t wide = 8 * words_in_line;
  std::uint64_t sums[wide] = {};
  std::size_t i = 0;
  for (; i + wide <= words; i += wide) {
    for (std::size_t j = 0; j < wide; ++j) sums[j] += data[i + j];
  }
  std::uint64_t total = 0;
  for (; i < words; ++i) total += data[i];
  for (const std::uint64_t part : sums) total += part;
  return total;
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] std::uint64_t sum_avx2(const std::uint64_t* data, std::size_t words) noexcept {
  return sum(data, words);
}
#endif

}  // namespace

std::uint64_t read_all(const std::uint64_t* data, std::size_t words) noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return sum_avx2(data, words);
#endif
  return sum(data, words);
}

void update_all(std::uint64_t* data, std::size_t words) noexcept {
  std::uint64_t nothing = 0;
  asm volatile("" : "+r"(nothing));
  for (std::size_t i = 0; i < words; ++i) data[i] += nothing;
}

void stencil(double* to, const double* from, std::size_t rows, std::size_t words, std::size_t pitch) noexcept {
  detail::in_vectors(detail::widest_vectors(), [=]() __attribute__((always_inline)) {
    for (std::size_t row = 1; row + 1 < rows; ++row) {
      double* const out = to + row * pitch;
      const double *const here = from + row * pitch, *const above = here - pitch, *const below = here + pitch;
      for (std::size_t i = 1; i + 1 < words; ++i) {
        const double down = 0.1 * (above[i] + below[i] - 2 * here[i]);
        const double across = 0.1 * (here[i - 1] + here[i + 1] - 2 * here[i]);
        out[i] = here[i] + down + across;
      }
    }
  });
}

// A linear congruential generator with full period: neighbours in the cycle lie in different pages.
void make_chain(std::uint64_t* data, std::size_t lines) noexcept {
  for (std::size_t i = 0; i < lines; ++i) {
    data[i * words_in_line] = ((i * 0x5851f42d4c957f2dU + 0x14057b7ef767814fU) & (lines - 1)) * words_in_line;
  }
}

std::uint64_t follow_chain(const std::uint64_t* data, std::uint64_t at, std::size_t steps) noexcept {
  for (std::size_t i = 0; i < steps; ++i) at = data[at];
  return at;
}

void follow_chains(const std::uint64_t* data, std::span<std::uint64_t> at, std::size_t steps) noexcept {
  for (std::size_t i = 0; i < steps; ++i)
    for (std::uint64_t& each : at) each = data[each];
}

}  // namespace jackdaw::probe
