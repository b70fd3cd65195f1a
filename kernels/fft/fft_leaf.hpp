#pragma once

#include <cstddef>
#include <span>

namespace jackdaw::kernels {

/// A complex number.
struct sample {
  double re, im;
};

/// The roots of unity for Fourier transforms of up to 2 * half samples: for every `half` that is a power of two and
/// every k below it, element half + k is exp(-i pi k / half). The first element is unused.
using fft_roots = const sample*;

/// Writes elements [first, last) of such a table; first is at least 1.
void fft_make_roots(sample* roots, std::size_t first, std::size_t last);

/// Transforms a line of samples in place. Its length is a power of two.
void fft_leaf(std::span<sample> line, fft_roots roots);

/// Copies the even samples of `in` into the first half of `out` and the odd samples into the second half; in both
/// halves only those with indices [first, last).
void fft_unweave(const sample* in, sample* out, std::size_t half, std::size_t first, std::size_t last);

/// Computes the butterflies [first, last), which make the transform `out` of 2 * half samples from the transforms of
/// the even ones, in the first half of `in`, and of the odd ones, in its second half.
void fft_combine(const sample* in, sample* out, std::size_t half, std::size_t first, std::size_t last, fft_roots roots);

}  // namespace jackdaw::kernels
