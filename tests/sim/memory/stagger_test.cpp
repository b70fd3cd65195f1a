#include "sim/memory/stagger.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/machines.hpp"

namespace jackdaw::sim {
namespace {

TEST(stagger, workers_begin_at_points_that_are_spread_evenly) {
  for (const unsigned count : {1u, 2u, 4u, 64u}) {
    std::vector<double> phases;
    for (unsigned worker = 0; worker < count; ++worker) phases.push_back(phase_of(worker));
    std::ranges::sort(phases);
    for (unsigned i = 0; i < count; ++i) EXPECT_EQ(phases[i], static_cast<double>(i) / count) << count;
  }
}

// From its own memory a core gets 10 bytes per ns, from the other one 6, from its shared cache 16.
class one_leaf : public testing::Test {
 protected:
  const routes ways{small_machine()};
  const std::uint16_t cache = ways.shared(0), near = ways.memory(0, 0), far = ways.memory(1, 0);
  const transfers all{{far, 600}, {near, 3000}, {cache, 1600}};  // 100, 300, 100 ns

  void expect_order(double phase, const transfers& wanted) const {
    transfers got = all;
    stagger(got, phase, ways);
    ASSERT_EQ(got.size(), wanted.size()) << phase;
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].route, wanted[i].route) << phase << ' ' << i;
      EXPECT_NEAR(got[i].bytes, wanted[i].bytes, 1e-9) << phase << ' ' << i;
      EXPECT_EQ(got[i].goes_on, wanted[i].goes_on) << phase << ' ' << i;
    }
  }
};

TEST_F(one_leaf, begins_at_its_point_and_ends_with_what_comes_before) {
  expect_order(0, {{cache, 1600}, {near, 3000}, {far, 600}});
  expect_order(0.2, {{near, 3000}, {far, 600}, {cache, 1600}});
  expect_order(0.1, {{cache, 800}, {near, 3000}, {far, 600}, {cache, 800, true}});
  expect_order(0.4, {{near, 2000}, {far, 600}, {cache, 1600}, {near, 1000, true}});
  expect_order(0.95, {{far, 150}, {cache, 1600}, {near, 3000}, {far, 450, true}});
}

TEST_F(one_leaf, does_not_depend_on_the_order_in_which_routes_are_needed) {
  transfers other = all;
  std::ranges::reverse(other);
  stagger(other, 0.7, ways);
  expect_order(0.7, other);
}

TEST_F(one_leaf, of_one_source_or_none_is_left_alone) {
  transfers one{{near, 100}}, none;
  stagger(one, 0.5, ways);
  stagger(none, 0.5, ways);
  ASSERT_EQ(one.size(), 1);
  EXPECT_EQ(one[0].bytes, 100);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace jackdaw::sim
