#pragma once

#include <cstddef>
#include <span>

namespace jackdaw::kernels {

/// A complex number.
struct sample {
  double re, im;
};

/// The roots of unity for Fourier transforms of up to 2 * half samples: the k-th element from `half` on is exp(-i pi k
/// / half), for every half that is a power of two, and k below it. The first element is unused.
using fft_roots = const sample*;

/// Writes elements [first, last) of such a table; first is at least 1.
void fft_make_roots(sample* roots, std::size_t first, std::size_t last);

/// Transforms a line of samples in place. Its length is a power of two.
void fft_leaf(std::span<sample> line, fft_roots roots);

/// Puts the even samples of `in` into the first half of `out` and the odd ones into the second; of both the ones with
/// indices [first, last).
void fft_unweave(const sample* in, sample* out, std::size_t half, std::size_t first, std::size_t last);

/// The butterflies [first, last) that make the transform `out` of 2 * half samples from those of the even ones, in the
/// first half of `in`, and of the odd ones, in the second.
void fft_combine(const sample* in, sample* out, std::size_t half, std::size_t first, std::size_t last, fft_roots roots);

}  // namespace jackdaw::kernels
