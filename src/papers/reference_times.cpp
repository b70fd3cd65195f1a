#include "papers/reference_times.hpp"

#include <map>

namespace jackdaw::cli {
namespace {

using times = reproduction::reference_times;

// Measured on the reference core on 2026-11-22. Sweeps: the fastest of 3000 sweeps over a few rows, which lie in the
// core's own caches; the fastest of each 200 differed from it by at most a tenth. Rows of 512 to 8192 cells, or planes
// of 64 x 64 and 128 x 128, differed by as much. Other kernels: the fastest of 15 recordings, step by step; knapsack
// with 60 items. Graphs, on a busy computer: the fastest leaf of 4 recordings of bats/64 for what it touches, because
// their leaves are alike; for labelprop the mean, because its leaves differ from round to round. Before the run: the
// fastest leaf of 8 recordings of conv and 9p of size tiny, which stand for all sweeps except sor's, and of 4
// recordings of bats/64.
//
// Leaves in vectors were compiled for 128-bit vectors then, except matmul's. Their times are multiplied by what the
// same leaf takes in 256-bit vectors on a Zen 3 core, whose vector units are as wide as the reference core's: the
// fastest of 3000 sweeps over rows of 512 doubles in the core's caches, 2026-11-25.
constexpr double heat_wide = 0.75, nine_wide = 0.8, conv_wide = 0.48, six_wide = 0.86, star_wide = 0.79, ge_wide = 0.74,
                 cholesky_wide = 0.42;

times swept(double per_kib, double preparing = 84) {
  return {
      .other = 2,
      .from = "leaf: measured, rows in the core's own caches, fastest of 3000, and for wide vectors; other: assumed",
      .per_kib = per_kib,
      .preparing = preparing};
}

times mean(double leaf, double other) {
  return {.leaf = leaf,
          .other = other,
          .from = "measured: mean over all steps of the fastest of 15 recordings; other, if 2: assumed"};
}

times graph(const std::map<std::uint32_t, double>& touching, const char* which) {
  return {.leaf = 0, .other = 2, .from = which, .by_accesses = {}, .touching = touching, .preparing = 50};
}

std::map<std::string_view, times> measured() {
  std::map<std::string_view, times> all{
      {"heat", swept(66 * heat_wide)}, {"sor", swept(61, 170)},         {"9p", swept(102 * nine_wide)},
      {"6p", swept(86 * six_wide)},    {"25p", swept(340 * star_wide)}, {"ge", swept(34 * ge_wide)},
      {"nqueens", mean(0, 10)},        {"mandelbrot", mean(679000, 2)}, {"ga", mean(406000, 330)},
      {"knapsack", mean(0, 2300)},     {"checkers", mean(0, 9600)}};
  all["conv"] = swept(136 * conv_wide);
  all["conv"].from =
      "leaf: measured, mean over all steps of the fastest of 8 recordings of size tiny, and for wide vectors; other: "
      "assumed";
  const char* const fastest = "leaf: measured, the fastest of 4 recordings of bats/64; other: assumed";
  all["pagerank"] = graph({{2, 71}, {3, 63}, {19, 291}}, fastest);
  all["components"] = graph({{20, 91}}, fastest);
  all["labelprop"] = graph(
      {{19, 1195}}, "leaf: measured, mean over all steps of the fastest of 4 recordings of bats/64; other: assumed");
  times& sort = all["cilksort"] = mean(0, 50);
  sort.by_accesses = {{2, 28700}};
  sort.per_kib = 817;
  times& fft = all["fft"] = mean(0, 2);
  fft.by_accesses = {{2, 589}};
  fft.per_kib = 60;
  all["matmul"] = {.leaf = 40400,
                   .other = 2,
                   .from = "leaf: measured, median of 3 recordings' medians (40300 to 41000); other: assumed"};
  all["cholesky"] = mean(0, 2);
  all["cholesky"].by_accesses = {{3, 24900}, {4, 42600 * cholesky_wide}, {10, 118500}};
  return all;
}

}  // namespace

const reproduction::reference_times& reference_times_of(std::string_view kernel) {
  static const std::map<std::string_view, times> all = measured();
  return all.at(kernel);
}

}  // namespace jackdaw::cli
