#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"

namespace jackdaw::kernels {

inline constexpr auto mandelbrot_sizes =
    std::to_array<choice<unsigned>>({{"1024", 1024}, {"tiny", 64}, {"512", 512}, {"2048", 2048}, {"4096", 4096}});

enum class mandelbrot_shape { rows };
inline constexpr auto mandelbrot_shapes = std::to_array<choice<mandelbrot_shape>>({{"rows", mandelbrot_shape::rows}});

/// Escape times of the points of a square around the Mandelbrot set, a row of pixels at a time. The work of rows
/// differs by orders of magnitude and is unknown beforehand.
class mandelbrot_problem : public problem {
 public:
  explicit mandelbrot_problem(const request& wanted)
      : n(choose(mandelbrot_sizes, "mandelbrot", "size", wanted.size)),
        limit_(wanted.iterations != 0 ? wanted.iterations : 1000),
        escapes_(std::size_t{n} * n) {
    choose(mandelbrot_shapes, "mandelbrot", "shape", wanted.shape);
  }

  void prepare() override {
    for (std::size_t y = 0; y != n; ++y) clear_row(y);
  }

  void check() override {
    if (expected_.empty())
      for (std::size_t i = 0; i != escapes_.size(); ++i) expected_.push_back(escape(i / n, i % n));
    for (std::size_t i = 0; i != escapes_.size(); ++i)
      if (escapes_[i] != expected_[i])
        throw check_failed("pixel " + std::to_string(i % n) + " of row " + std::to_string(i / n) + " escaped after " +
                           std::to_string(escapes_[i]) + " steps, expected " + std::to_string(expected_[i]));
  }

  double items() const override { return static_cast<double>(escapes_.size()); }
  std::string_view unit() const override { return "pixels"; }

 protected:
  const unsigned n;

  std::uint32_t* row(std::size_t y) { return escapes_.data() + y * n; }

  void clear_row(std::size_t y) { std::fill_n(row(y), n, 0u); }

  void compute_row(std::size_t y) {
    for (std::size_t x = 0; x != n; ++x) row(y)[x] = escape(y, x);
  }

 private:
  const unsigned limit_;
  buffer<std::uint32_t> escapes_;
  std::vector<std::uint32_t> expected_;

  /// Returns the steps of z <- z^2 + c until |z| > 2, for the c of a pixel of the square [-2, 0.5] x [-1.25, 1.25];
  /// limit_ for points that stay.
  std::uint32_t escape(std::size_t y, std::size_t x) const {
    const double re = -2 + 2.5 * (static_cast<double>(x) + 0.5) / n,
                 im = -1.25 + 2.5 * (static_cast<double>(y) + 0.5) / n;
    double a = 0, b = 0;
    for (std::uint32_t steps = 0; steps != limit_; ++steps) {
      const double aa = a * a, bb = b * b;
      if (aa + bb > 4) return steps;
      b = 2 * a * b + im;
      a = aa - bb + re;
    }
    return limit_;
  }
};

}  // namespace jackdaw::kernels
