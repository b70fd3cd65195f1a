#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include <jackdaw/error.hpp>

#include "kernels/common/choice.hpp"

namespace jackdaw::kernels {

/// A grid of `x` rows, which are divided among tasks. In a plane grid a row is one line of `length` cells. In a grid in
/// space a row is a whole plane of `lines` lines.
struct grid_extent {
  std::size_t x, lines, length;

  std::size_t row() const { return lines * length; }
  std::size_t cells() const { return x * row(); }
};

constexpr grid_extent plane(std::size_t x, std::size_t y) { return {x, 1, y}; }
constexpr grid_extent space(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }

struct grid_size {
  grid_extent extent;
  std::size_t cutoff;   ///< rows of a leaf
  unsigned iterations;  ///< unless the request says otherwise
};

/// `amd` and `intel` are the sizes of LAWS, section 6.2; with a number appended they are those of section 6.4. `cab`
/// are the sizes of CAB, figures 4 to 8, with leaves of 128 rows, or of as many as a second number says (figure 7).
/// `bats` is the size of BATS, section 9.2: 16 GB in two states. `bats/N` has an Nth of its cells, with both sides
/// divided by the root of N, in as many leaves, or in a half or a quarter of them. `bats-Gg/64` is a 64th of the G GB
/// of BATS, figure 12, in which only the number of rows changes, in leaves of 14 to 21 rows.
inline constexpr auto plane_sizes = std::to_array<choice<grid_size>>(
    {{"2048", {plane(2048, 2048), 8, 100}},        {"tiny", {plane(128, 128), 8, 10}},
     {"amd", {plane(8096, 1024), 8, 50}},          {"amd-1k", {plane(1024, 1024), 8, 400}},
     {"amd-2k", {plane(2048, 1024), 8, 200}},      {"amd-4k", {plane(4096, 1024), 8, 100}},
     {"amd-16k", {plane(16384, 1024), 8, 25}},     {"intel", {plane(8096, 4096), 8, 20}},
     {"intel-2k", {plane(2048, 4096), 8, 50}},     {"intel-4k", {plane(4096, 4096), 8, 25}},
     {"intel-16k", {plane(16384, 4096), 8, 20}},   {"intel-32k", {plane(32768, 4096), 8, 20}},
     {"cab-512", {plane(512, 512), 128, 1000}},    {"cab-1k", {plane(1024, 1024), 128, 400}},
     {"cab-2k", {plane(2048, 2048), 128, 100}},    {"cab-3k", {plane(3072, 2048), 128, 50}},
     {"cab-4k", {plane(4096, 8192), 128, 20}},     {"cab-4k-64", {plane(4096, 8192), 64, 20}},
     {"cab-4k-32", {plane(4096, 8192), 32, 20}},   {"bats", {plane(229376, 4096), 32, 200}},
     {"bats/4", {plane(114688, 2048), 32, 20}},    {"bats/16", {plane(57344, 1024), 32, 20}},
     {"bats/64", {plane(28672, 512), 21, 20}},     {"bats-2g/64", {plane(3584, 512), 21, 20}},
     {"bats-4g/64", {plane(7168, 512), 21, 20}},   {"bats-8g/64", {plane(14336, 512), 21, 20}},
     {"bats-12g/64", {plane(21504, 512), 21, 20}}, {"bats-20g/64", {plane(35840, 512), 21, 20}},
     {"bats-24g/64", {plane(43008, 512), 21, 20}}});

/// Named as plane_sizes. Leaves of `tiny` have half as many rows, so that there are enough of them.
inline constexpr auto space_sizes = std::to_array<choice<grid_size>>({{"512", {space(512, 64, 64), 8, 100}},
                                                                      {"tiny", {space(64, 16, 20), 4, 6}},
                                                                      {"amd", {space(8096, 64, 64), 8, 20}},
                                                                      {"amd-1k", {space(1024, 64, 64), 8, 100}},
                                                                      {"amd-2k", {space(2048, 64, 64), 8, 50}},
                                                                      {"amd-4k", {space(4096, 64, 64), 8, 25}},
                                                                      {"amd-16k", {space(16384, 64, 64), 8, 20}},
                                                                      {"intel", {space(8096, 128, 128), 8, 20}}});

/// The rows among first..last-1 that are updated in a grid of x rows whose outer `border` rows keep their values.
struct inner_rows {
  std::size_t first, last;

  inner_rows(std::size_t from, std::size_t to, std::size_t x, std::size_t border)
      : first(std::max(from, border)), last(std::max(first, std::min(to, x - border))) {}

  bool empty() const { return first == last; }
  std::size_t count() const { return last - first; }
};

}  // namespace jackdaw::kernels
