#include "kernels/fft/fft_leaf.hpp"

#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace jackdaw::kernels {
namespace {

sample times(sample a, sample b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

/// One butterfly.
void combine(sample even, sample odd, sample root, sample& low, sample& high) {
  const sample turned = times(root, odd);
  low = {even.re + turned.re, even.im + turned.im};
  high = {even.re - turned.re, even.im - turned.im};
}

void reverse_indices(std::span<sample> line) {
  for (std::size_t i = 1, reversed = 0; i < line.size(); ++i) {
    std::size_t bit = line.size() / 2;
    for (; (reversed & bit) != 0; bit /= 2) reversed ^= bit;
    reversed ^= bit;
    if (i < reversed) std::swap(line[i], line[reversed]);
  }
}

}  // namespace

void fft_make_roots(sample* roots, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i != last; ++i) {
    const std::size_t half = std::bit_floor(i);
    const double angle = -std::numbers::pi * (static_cast<double>(i - half) / static_cast<double>(half));
    roots[i] = {std::cos(angle), std::sin(angle)};
  }
}

void fft_leaf(std::span<sample> line, fft_roots roots) {
  reverse_indices(line);
  for (std::size_t half = 1; half < line.size(); half *= 2)
    for (std::size_t start = 0; start != line.size(); start += 2 * half) {
      sample* const low = &line[start];
      sample* const high = low + half;
      for (std::size_t k = 0; k != half; ++k) combine(low[k], high[k], roots[half + k], low[k], high[k]);
    }
}

void fft_unweave(const sample* in, sample* out, std::size_t half, std::size_t first, std::size_t last) {
  for (std::size_t k = first; k != last; ++k) {
    out[k] = in[2 * k];
    out[half + k] = in[2 * k + 1];
  }
}

void fft_combine(const sample* in, sample* out, std::size_t half, std::size_t first, std::size_t last,
                 fft_roots roots) {
  for (std::size_t k = first; k != last; ++k) combine(in[k], in[half + k], roots[half + k], out[k], out[half + k]);
}

}  // namespace jackdaw::kernels
