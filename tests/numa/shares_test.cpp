#include "numa/shares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace jackdaw::numa {
namespace {

using units = std::vector<std::uint64_t>;

TEST(shares, follow_equation_2) {
  // n = 10, B = 1, 2, 1: the nodes' tasks are 0-2, 3-7 and 8-9.
  EXPECT_EQ(shares_by_bandwidth(10, {1, 2, 1}), (units{3, 5, 2}));
  EXPECT_EQ(shares_by_bandwidth(8, {1, 1}), (units{4, 4}));
  EXPECT_EQ(shares_by_bandwidth(7, {5}), units{7});
  // Knights Landing's figures in the paper: an HBM node has 4.2 times a DRAM node's bandwidth.
  EXPECT_EQ(shares_by_bandwidth(2048, {20, 20, 20, 20, 84, 84, 84, 84}), (units{99, 98, 99, 98, 414, 413, 414, 413}));
}

TEST(shares, of_fewer_units_than_nodes_leave_some_without) {
  const units shares = shares_by_bandwidth(2, {1, 1, 1, 1});
  EXPECT_EQ(shares, (units{1, 0, 1, 0}));
  EXPECT_EQ(shares_by_bandwidth(0, {1, 2}), (units{0, 0}));
}

TEST(shares, are_off_by_less_than_one_unit_at_every_boundary) {
  const std::vector<double> bandwidths{22.5, 96, 22.5, 96, 22.5, 96, 22.5, 96};
  const double all = std::accumulate(bandwidths.begin(), bandwidths.end(), 0.0);
  for (std::uint64_t n : {1ull, 7ull, 79ull, 4096ull, 123457ull, 1ull << 40}) {
    const units shares = shares_by_bandwidth(n, bandwidths);
    std::uint64_t end = 0;
    double part = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      end += shares[i];
      part += bandwidths[i];
      const double exact = static_cast<double>(n) * (part / all);
      EXPECT_LT(std::fabs(static_cast<double>(end) - exact), 1 + 1e-9 * exact) << n << " " << i;
    }
    EXPECT_EQ(end, n);
  }
}

TEST(shares, whole_boundaries_are_exact_in_spite_of_rounding) {
  // 0.1 + 0.2 is not 0.3; the boundaries are whole all the same.
  EXPECT_EQ(shares_by_bandwidth(10, {0.1, 0.2, 0.7}), (units{1, 2, 7}));
}

TEST(shares, beyond_a_nodes_room_go_to_the_others_by_bandwidth) {
  const fitted_shares fitted = fit({50, 30, 20}, {5, 3, 1}, {20, 1000, 1000});
  EXPECT_EQ(fitted.units, (units{20, 53, 27}));  // 30 more, three to one
  EXPECT_EQ(fitted.left, 0u);
  // The second one runs full in its turn.
  EXPECT_EQ(fit({50, 30, 20}, {5, 3, 1}, {20, 40, 1000}).units, (units{20, 40, 40}));
  const fitted_shares too_many = fit({50, 30, 20}, {5, 3, 1}, {10, 10, 10});
  EXPECT_EQ(too_many.units, (units{10, 10, 10}));
  EXPECT_EQ(too_many.left, 70u);
}

TEST(shares, fill_the_fastest_first) {
  const std::vector<unsigned> tiers{1, 1, 0, 0};
  EXPECT_EQ(fill_by_tiers(100, tiers, {1000, 1000, 80, 80}).units, (units{0, 0, 50, 50}));
  EXPECT_EQ(fill_by_tiers(200, tiers, {1000, 1000, 80, 80}).units, (units{20, 20, 80, 80}));
  EXPECT_EQ(fill_by_tiers(200, tiers, {1000, 1000, 30, 160}).units, (units{5, 5, 30, 160}));
  const fitted_shares over = fill_by_tiers(500, tiers, {100, 100, 80, 80});
  EXPECT_EQ(over.units, (units{100, 100, 80, 80}));
  EXPECT_EQ(over.left, 140u);
  EXPECT_EQ(fill_by_tiers(7, {2, 0}, {10, 3}).units, (units{4, 3})) << "no node is in the tier between";
}

TEST(shares, tiers_are_of_like_bandwidth) {
  EXPECT_EQ(tiers_of({22, 20, 96, 90, 5}), (std::vector<unsigned>{1, 1, 0, 0, 2}));
  EXPECT_EQ(tiers_of({3}), std::vector<unsigned>{0});
}

}  // namespace
}  // namespace jackdaw::numa
