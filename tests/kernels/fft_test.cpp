#include "kernels/fft/fft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {
namespace {

std::vector<sample> roots_for(std::size_t n) {
  std::vector<sample> roots(n);
  fft_make_roots(roots.data(), 1, n);
  return roots;
}

std::vector<sample> random_line(std::size_t n) {
  std::vector<sample> line(n);
  for (std::size_t i = 0; i != n; ++i)
    line[i] = {static_cast<double>(mix(2 * i) % 1001) - 500, static_cast<double>(mix(2 * i + 1) % 1001) - 500};
  return line;
}

std::vector<sample> by_definition(const std::vector<sample>& line) {
  std::vector<sample> result;
  for (std::size_t f = 0; f != line.size(); ++f) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i != line.size(); ++i)
      sum += std::complex(line[i].re, line[i].im) *
             std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(f * i % line.size()) /
                                 static_cast<double>(line.size()));
    result.push_back({sum.real(), sum.imag()});
  }
  return result;
}

void expect_near(const std::vector<sample>& found, const std::vector<sample>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i != found.size(); ++i) {
    EXPECT_NEAR(found[i].re, expected[i].re, tolerance) << i;
    EXPECT_NEAR(found[i].im, expected[i].im, tolerance) << i;
  }
}

TEST(fft, roots_lie_where_their_half_begins) {
  const auto roots = roots_for(16);
  for (const std::size_t half : {1, 2, 4, 8})
    for (std::size_t k = 0; k != half; ++k) {
      const double angle = -std::numbers::pi * static_cast<double>(k) / static_cast<double>(half);
      EXPECT_NEAR(roots[half + k].re, std::cos(angle), 1e-15);
      EXPECT_NEAR(roots[half + k].im, std::sin(angle), 1e-15);
    }
}

TEST(fft, a_leaf_of_any_length_matches_the_definition) {
  for (const std::size_t n : {1, 2, 4, 8, 64, 512}) {
    const auto line = random_line(n);
    auto found = line;
    fft_leaf(found, roots_for(n).data());
    expect_near(found, by_definition(line), 1e-8);
  }
}

TEST(fft, an_impulse_holds_all_frequencies_alike) {
  std::vector<sample> line(256, sample{0, 0});
  line[0] = {1, 0};
  fft_leaf(line, roots_for(256).data());
  for (const sample x : line) {
    EXPECT_EQ(x.re, 1);
    EXPECT_EQ(x.im, 0);
  }
}

TEST(fft, halves_apart_and_in_pieces_make_the_whole) {
  constexpr std::size_t half = 32, n = 2 * half;
  const auto line = random_line(n);
  const auto roots = roots_for(n);
  std::vector<sample> apart(n), found(n);
  for (const auto& [first, last] : {std::pair{0, 5}, {5, 20}, {20, 32}})
    fft_unweave(line.data(), apart.data(), half, first, last);
  fft_leaf(std::span(apart).first(half), roots.data());
  fft_leaf(std::span(apart).subspan(half), roots.data());
  for (const auto& [first, last] : {std::pair{0, 31}, {31, 32}})
    fft_combine(apart.data(), found.data(), half, first, last, roots.data());
  expect_near(found, by_definition(line), 1e-9);
}

class serial_fft : public fft_problem {
 public:
  using fft_problem::fft_problem;
  void run() override { transform_serially(all_samples(), all_scratch(), all_roots().data()); }
  samples line() { return all_samples(); }

  /// Transforms back, except for the factor 1 / n.
  void invert() {
    for (sample& x : line()) x.im = -x.im;
    run();
    for (sample& x : line()) x.im = -x.im;
  }
};

TEST(fft, the_inverse_gives_the_samples_back) {
  serial_fft p({.size = "tiny"});
  p.prepare();
  const std::vector<sample> before(p.line().begin(), p.line().end());
  p.run();
  p.invert();
  std::vector<sample> after;
  for (const sample x : p.line())
    after.push_back({x.re / static_cast<double>(before.size()), x.im / static_cast<double>(before.size())});
  expect_near(after, before, 1e-14);
}

TEST(fft, check_finds_one_wrong_bit) {
  serial_fft p({.size = "tiny"});
  p.prepare();
  p.run();
  EXPECT_NO_THROW(p.check());
  p.line()[1234].im = std::nextafter(p.line()[1234].im, 1e9);
  EXPECT_THROW(p.check(), check_failed);
}

}  // namespace
}  // namespace jackdaw::kernels
