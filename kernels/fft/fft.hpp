#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"
#include "kernels/fft/fft_leaf.hpp"

namespace jackdaw::kernels {

/// `invoke`: the even and the odd samples by one invoke, and a loop that forks before and after it.
enum class fft_shape { invoke };

/// Samples; a power of two ("m" is 2^20).
inline constexpr auto fft_sizes = std::to_array<choice<std::size_t>>({{"4m", std::size_t{1} << 22},
                                                                      {"tiny", std::size_t{1} << 12},
                                                                      {"1m", std::size_t{1} << 20},
                                                                      {"2m", std::size_t{1} << 21},
                                                                      {"16m", std::size_t{1} << 24}});
inline constexpr auto fft_shapes = std::to_array<choice<fft_shape>>({{"invoke", fft_shape::invoke}});

/// The discrete Fourier transform of random complex samples by decimation in time: the even and odd samples are
/// separated, transformed independently and combined by butterflies (Cilk's fft, of radix 2).
class fft_problem : public problem {
 public:
  using samples = std::span<sample>;

  /// One task transforms lines up to this length.
  static constexpr std::size_t cutoff = 512;
  /// Butterflies that a task computes together.
  static constexpr std::size_t block = 1024;

  explicit fft_problem(const request& wanted);

  void prepare() override { fill(0, n); }

  /// Compares every bit with a serial transform; a few frequencies with sums over all samples; and the samples' energy
  /// with that of the frequencies (Parseval).
  void check() override;

  double items() const override { return static_cast<double>(n); }
  std::string_view unit() const override { return "samples"; }

 protected:
  const std::size_t n;

  samples all_samples() { return {line_.data(), n}; }
  samples all_scratch() { return {scratch_.data(), n}; }
  samples all_roots() { return {roots_.data(), n}; }

  /// Makes elements [first, last) of the samples, the scratch array and the table of roots.
  void fill(std::size_t first, std::size_t last);

  /// Transforms `line`; `spare` is as long and is overwritten.
  static void transform_serially(samples line, samples spare, fft_roots roots);

 private:
  struct frequency {
    std::size_t index;
    sample value;
  };

  buffer<sample> line_, scratch_, roots_;
  std::vector<sample> expected_;
  std::vector<frequency> sampled_;

  void compute_expected();
};

}  // namespace jackdaw::kernels
