#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>

#include "kernels/common/mix.hpp"
#include "kernels/common/same_bits.hpp"
#include "kernels/fft/fft.hpp"

namespace jackdaw::kernels {
namespace {

/// A number in [-1, 1) that depends on i alone.
double random_part(std::uint64_t i) { return static_cast<double>(mix(i) >> 11) * 0x1p-52 - 1; }

sample input(std::size_t i) { return {random_part(2 * i), random_part(2 * i + 1)}; }

/// Computes one frequency by its definition.
sample transformed(std::size_t n, std::size_t frequency) {
  const long double step = 2 * std::numbers::pi_v<long double> / static_cast<long double>(n);
  long double re = 0, im = 0;
  for (std::size_t i = 0; i != n; ++i) {
    const auto angle = static_cast<double>(step * static_cast<long double>(i * frequency % n));
    const double c = std::cos(angle), s = -std::sin(angle);
    const sample x = input(i);
    re += x.re * c - x.im * s;
    im += x.re * s + x.im * c;
  }
  return {static_cast<double>(re), static_cast<double>(im)};
}

long double energy(std::span<const sample> line) {
  long double sum = 0;
  for (const sample x : line) sum += x.re * x.re + x.im * x.im;
  return sum;
}

std::span<const double> numbers_of(std::span<const sample> line) {
  static_assert(sizeof(sample) == 2 * sizeof(double));
  return {&line.data()->re, 2 * line.size()};
}

}  // namespace

fft_problem::fft_problem(const request& wanted)
    : n(choose(fft_sizes, "fft", "size", wanted.size)), line_(n), scratch_(n), roots_(n) {
  choose(fft_shapes, "fft", "shape", wanted.shape);
}

void fft_problem::fill(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i != last; ++i) {
    line_[i] = input(i);
    scratch_[i] = {0, 0};
  }
  if (first == 0) roots_[0] = {0, 0};
  fft_make_roots(roots_.data(), std::max<std::size_t>(first, 1), last);
}

void fft_problem::transform_serially(samples line, samples spare, fft_roots roots) {
  if (line.size() <= cutoff) return fft_leaf(line, roots);
  const std::size_t half = line.size() / 2;
  fft_unweave(line.data(), spare.data(), half, 0, half);
  transform_serially(spare.first(half), line.first(half), roots);
  transform_serially(spare.subspan(half), line.subspan(half), roots);
  fft_combine(spare.data(), line.data(), half, 0, half, roots);
}

void fft_problem::compute_expected() {
  expected_.resize(n);
  for (std::size_t i = 0; i != n; ++i) expected_[i] = input(i);
  std::vector<sample> spare(n);
  transform_serially(expected_, spare, roots_.data());
  for (const std::size_t index : {std::size_t{0}, std::size_t{1}, n / 2, n - 1, mix(n) % n, mix(n + 1) % n})
    sampled_.push_back({index, transformed(n, index)});
}

void fft_problem::check() {
  if (expected_.empty()) compute_expected();
  const std::size_t wrong = first_difference(numbers_of(all_samples()), numbers_of(expected_)) / 2;
  if (wrong != n) throw check_failed("frequency " + std::to_string(wrong) + " differs from a serial run's");

  // Rounding errors of a transform grow as log n, those of the sums above as the square root of n.
  const double tolerance = 1e-12 * std::sqrt(static_cast<double>(n));
  for (const auto& [index, value] : sampled_)
    if (std::hypot(line_[index].re - value.re, line_[index].im - value.im) > tolerance)
      throw check_failed("frequency " + std::to_string(index) + " differs from the sum over all samples");

  long double before = 0;
  for (std::size_t i = 0; i != n; ++i) {
    const sample x = input(i);
    before += x.re * x.re + x.im * x.im;
  }
  const long double ratio = energy(all_samples()) / (before * static_cast<long double>(n));
  if (std::abs(ratio - 1) > 1e-12L) throw check_failed("the frequencies' energy is not that of the samples");
}

}  // namespace jackdaw::kernels
