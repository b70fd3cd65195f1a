// The stencils' sweeps against formulas written down once more, cell by cell, on small grids with all sides different.
#include "kernels/stencils/stencils.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/sor/sor.hpp"
#include "kernels/stencils/stencil_grid.hpp"

namespace jackdaw::kernels {
namespace {

constexpr unsigned sweeps = 5;

/// A grid with coordinates; z alone in the plane is y.
struct cells {
  std::array<int, 3> sides;
  std::vector<double> values;

  double& at(int x, int y, int z) {
    const std::size_t line =
        static_cast<std::size_t>(x) * static_cast<std::size_t>(sides[1]) + static_cast<std::size_t>(y);
    return values.at(line * static_cast<std::size_t>(sides[2]) + static_cast<std::size_t>(z));
  }

  /// How far a cell is from the border along the axes that count.
  int depth(int x, int y, int z, bool plane) const {
    int depth = std::min(std::min(x, sides[0] - 1 - x), std::min(z, sides[2] - 1 - z));
    if (!plane) depth = std::min(depth, std::min(y, sides[1] - 1 - y));
    return depth;
  }

  template <class F>
  void each(const F& f) const {
    for (int x = 0; x != sides[0]; ++x)
      for (int y = 0; y != sides[1]; ++y)
        for (int z = 0; z != sides[2]; ++z) f(x, y, z);
  }
};

template <class Row>
cells copy_of(const grid_extent& extent, const Row& row) {
  cells result{{static_cast<int>(extent.x), static_cast<int>(extent.lines), static_cast<int>(extent.length)}, {}};
  for (std::size_t i = 0; i != extent.x; ++i) result.values.insert(result.values.end(), row(i), row(i) + extent.row());
  return result;
}

/// The weight of the cell (dx, dy, dz) away.
using weights = double (*)(int dx, int dy, int dz);

double five_point_weight(int dx, int, int dz) {
  if (dx == 0 && dz == 0) return 0.5;
  return std::abs(dx) + std::abs(dz) == 1 ? 0.125 : 0;
}

double nine_point_weight(int dx, int, int dz) { return 0.25 / (1 << (std::abs(dx) + std::abs(dz))); }

double convolution_weight(int dx, int, int dz) {
  constexpr int mask[3][3] = {{12, 31, 18}, {35, 64, 29}, {21, 33, 13}};
  return mask[dx + 1][dz + 1] / 256.0;
}

double six_point_weight(int dx, int dy, int dz) {
  return std::abs(dx) + std::abs(dy) + std::abs(dz) == 1 ? 1.0 / 6 : 0;
}

double twenty_five_point_weight(int dx, int dy, int dz) {
  const int far = std::abs(dx) + std::abs(dy) + std::abs(dz);
  if (far == 0) return 514.0 / 1024;
  const bool along_an_axis = std::abs(dx) == far || std::abs(dy) == far || std::abs(dz) == far;
  return along_an_axis && far <= 4 ? std::pow(0.25, far + 1) : 0;
}

cells swept(cells before, int radius, bool plane, weights weight) {
  cells after = before;
  before.each([&](int x, int y, int z) {
    if (before.depth(x, y, z, plane) < radius) return;
    double sum = 0;
    const int across = plane ? 0 : radius;
    for (int dx = -radius; dx <= radius; ++dx)
      for (int dy = -across; dy <= across; ++dy)
        for (int dz = -radius; dz <= radius; ++dz)
          if (weight(dx, dy, dz) != 0) sum += weight(dx, dy, dz) * before.at(x + dx, y + dy, z + dz);
    after.at(x, y, z) = sum;
  });
  return after;
}

template <class Stencil>
void expect_sweeps(const grid_extent& extent, weights weight) {
  stencil_grid<Stencil> grid({extent, 4, sweeps});
  grid.fill(0, extent.x);
  cells expected = copy_of(extent, [&](std::size_t i) { return grid.row(0, i); });
  double changed = 0;
  for (unsigned s = 0; s != sweeps; ++s) {
    const cells before = expected;
    expected = swept(before, Stencil::radius, Stencil::dimensions == 2, weight);
    grid.sweep(s, 0, 3);
    grid.sweep(s, 3, extent.x);
    const cells given = copy_of(extent, [&](std::size_t i) { return grid.row(s + 1, i); });
    for (std::size_t i = 0; i != given.values.size(); ++i) {
      ASSERT_NEAR(given.values[i], expected.values[i], 1e-13) << "cell " << i << " after sweep " << s;
      changed += std::abs(given.values[i] - before.values[i]);
    }
    expected = given;
  }
  EXPECT_GT(changed, 1);
}

TEST(stencils, five_points) { expect_sweeps<five_point>(plane(13, 18), five_point_weight); }
TEST(stencils, nine_points) { expect_sweeps<nine_point>(plane(13, 18), nine_point_weight); }
TEST(stencils, convolution) { expect_sweeps<convolution>(plane(13, 18), convolution_weight); }
TEST(stencils, six_points) { expect_sweeps<six_point>(space(12, 9, 14), six_point_weight); }
TEST(stencils, twenty_five_points) { expect_sweeps<twenty_five_point>(space(12, 13, 15), twenty_five_point_weight); }

TEST(stencils, a_grid_that_is_all_border_keeps_its_values) {
  stencil_grid<five_point> grid({plane(2, 2), 1, 1});
  grid.fill(0, 2);
  const std::uint64_t before = grid.fingerprint(0);
  grid.sweep(0, 0, 2);
  EXPECT_EQ(grid.fingerprint(1), before);
}

TEST(stencils, a_filter_leaves_an_even_picture_as_it_is) {
  double sum = 0;
  for (const auto& row : convolution::mask)
    for (const double weight : row) sum += weight;
  EXPECT_EQ(sum, 256);
}

TEST(stencils, scaled_sizes_have_a_part_of_the_papers_cells) {
  const auto cells = [](std::string_view name) { return choose(plane_sizes, "heat", "size", name).extent.cells(); };
  EXPECT_EQ(cells("bats"), std::size_t{224} * 1024 * 4096);
  EXPECT_EQ(cells("bats/4"), cells("bats") / 4);
  EXPECT_EQ(cells("bats/16"), cells("bats") / 16);
  EXPECT_EQ(cells("bats/64"), cells("bats") / 64);
  for (const std::size_t gigabytes : {2, 4, 8, 12, 20, 24})
    EXPECT_EQ(cells("bats-" + std::to_string(gigabytes) + "g/64"), cells("bats/64") * gigabytes / 16);
}

TEST(stencils, sor_updates_red_cells_and_then_black_ones_from_the_red) {
  const grid_extent extent = plane(11, 16);
  sor_grid grid({extent, 4, sweeps});
  grid.fill(0, extent.x);
  cells expected = copy_of(extent, [&](std::size_t i) { return grid.row(i); });
  for (unsigned s = 0; s != 2 * sweeps; ++s) {
    grid.sweep(s, 0, 3);
    grid.sweep(s, 3, extent.x);
    expected.each([&](int x, int y, int z) {
      if (expected.depth(x, y, z, true) < 1 || (x + z) % 2 != static_cast<int>(s % 2)) return;
      const double around =
          expected.at(x - 1, y, z) + expected.at(x + 1, y, z) + expected.at(x, y, z - 1) + expected.at(x, y, z + 1);
      expected.at(x, y, z) = (1 - sor_grid::omega) * expected.at(x, y, z) + sor_grid::omega * around / 4;
    });
    const cells given = copy_of(extent, [&](std::size_t i) { return grid.row(i); });
    for (std::size_t i = 0; i != given.values.size(); ++i)
      ASSERT_NEAR(given.values[i], expected.values[i], 1e-13) << "cell " << i << " after sweep " << s;
  }
}

TEST(stencils, sor_solves_laplaces_equation) {
  const grid_extent extent = plane(20, 24);
  sor_grid grid({extent, 4, 1});
  grid.fill(0, extent.x);
  for (unsigned s = 0; s != 2 * 400; ++s) grid.sweep(s, 0, extent.x);
  for (std::size_t i = 1; i != extent.x - 1; ++i)
    for (std::size_t j = 1; j != extent.length - 1; ++j)
      ASSERT_NEAR(4 * grid.row(i)[j], grid.row(i - 1)[j] + grid.row(i + 1)[j] + grid.row(i)[j - 1] + grid.row(i)[j + 1],
                  1e-12);
}

}  // namespace
}  // namespace jackdaw::kernels
