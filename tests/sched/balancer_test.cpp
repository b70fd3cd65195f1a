// Algorithm 1 of BATS on cases worked out by hand.
#include "sched/balancer.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace jackdaw::sched {
namespace {

std::vector<memory_node> nodes_with(std::initializer_list<double> bandwidths) {
  std::vector<memory_node> nodes;
  for (const double each : bandwidths) nodes.push_back({.squad = 0, .bandwidth = each});
  return nodes;
}

std::vector<double> traffic(std::vector<area> areas, const std::vector<memory_node>& nodes,
                            const std::vector<area_move>& moves) {
  for (const area_move& each : moves) areas[each.area].node = each.node;
  std::vector<double> sums(nodes.size());
  for (const area& each : areas) sums[each.node] += each.heat;
  return sums;
}

TEST(balancer, moves_nothing_that_is_balanced_within_5_percent) {
  const auto nodes = nodes_with({10, 40});
  const std::vector<area> balanced = {{.node = 0, .heat = 10}, {.node = 1, .heat = 40}};
  EXPECT_TRUE(plan_moves(balanced, nodes).empty());
  const std::vector<area> nearly = {{.node = 0, .heat = 104}, {.node = 0, .heat = 0.4}, {.node = 1, .heat = 395.6}};
  EXPECT_TRUE(plan_moves(nearly, nodes).empty());
  EXPECT_TRUE(plan_moves({}, nodes).empty());
}

TEST(balancer, takes_the_hottest_that_fits_from_the_most_overloaded_to_the_least_used) {
  const auto nodes = nodes_with({10, 10, 10, 10});
  // 100 in all, 25 for each: node 0 has 45, node 1 has 35, node 2 has 20, node 3 nothing.
  const std::vector<area> areas = {{.node = 0, .heat = 26}, {.node = 0, .heat = 12}, {.node = 0, .heat = 7},
                                   {.node = 1, .heat = 25}, {.node = 1, .heat = 10}, {.node = 2, .heat = 20}};
  // To node 3 from node 0, which has 20 too much: not 26, but 12 and 7; then from node 1, 10 too much, of which node 3
  // has room for 6: nothing. To node 2, room 5: node 0 has 1 too much; node 1's 10 do not fit.
  // Then what is too hot for that: node 1 has 35, node 3 would have 44 with its 25, but 29 with its 10.
  EXPECT_EQ(plan_moves(areas, nodes), (std::vector<area_move>{{1, 3}, {2, 3}, {4, 3}}));
}

TEST(balancer, takes_what_is_too_hot_off_a_slow_node) {
  const auto nodes = nodes_with({10, 45, 45});
  // 110 in all, of which node 0 should have 11: neither of its areas fits without leaving it too little.
  const std::vector<area> areas = {
      {.node = 0, .heat = 16}, {.node = 0, .heat = 14}, {.node = 1, .heat = 40}, {.node = 2, .heat = 40}};
  EXPECT_EQ(traffic(areas, nodes, plan_moves(areas, nodes)), (std::vector<double>{0, 56, 54}));
  EXPECT_EQ(traffic(areas, nodes, plan_moves(areas, nodes, {false, true, false})), (std::vector<double>{14, 40, 56}));
  EXPECT_TRUE(plan_moves(areas, nodes, {false, true, true}).empty());
}

TEST(balancer, serves_the_last_of_the_under_used_nodes_as_well) {
  const auto nodes = nodes_with({10, 10, 10});
  // 60 in all: node 0 has 40 too much, nodes 1 and 2 want 20 each. The printed loop ends before the last of them.
  std::vector<area> areas(12, {.node = 0, .heat = 5});
  const std::vector<area_move> moves = plan_moves(areas, nodes);
  EXPECT_EQ(traffic(areas, nodes, moves), (std::vector<double>{20, 20, 20}));
  EXPECT_EQ(moves.size(), 8u);
}

TEST(balancer, leaves_one_huge_area_where_it_is) {
  EXPECT_TRUE(plan_moves(std::vector<area>{{.node = 0, .heat = 100}}, nodes_with({10, 10})).empty());
}

TEST(balancer, leaves_alone_what_is_cold_or_nowhere_and_nodes_that_are_full) {
  const auto nodes = nodes_with({10, 10, 10});
  const std::vector<area> areas = {{.node = none, .heat = 90},
                                   {.node = 0, .heat = 0},
                                   {.node = 0, .heat = 10},
                                   {.node = 0, .heat = 10},
                                   {.node = 0, .heat = 10}};
  EXPECT_EQ(plan_moves(areas, nodes), (std::vector<area_move>{{2, 2}, {3, 1}}));
  EXPECT_EQ(plan_moves(areas, nodes, {false, false, true}), (std::vector<area_move>{{2, 1}}));
}

TEST(balancer, keeps_hbm_and_dram_as_their_bandwidths_are_where_a_quarter_is_hot) {
  const auto nodes = nodes_with({22.5, 96});
  std::vector<area> areas;
  for (unsigned i = 0; i < 400; ++i) areas.push_back({.node = i < 76 ? 0u : 1u, .heat = i < 100 ? 10.0 : 1.0});
  const std::vector<double> sums = traffic(areas, nodes, plan_moves(areas, nodes));
  EXPECT_NEAR(sums[1] / sums[0], 96 / 22.5, 0.2);
}

TEST(balancer, as_printed_moves_less_than_is_wanted_and_nothing_else) {
  const auto nodes = nodes_with({10, 10});
  // Node 0 has 10 too much: an area of 10 fits exactly, which is not less.
  const std::vector<area> exact = {{.node = 0, .heat = 10}, {.node = 0, .heat = 10}};
  EXPECT_EQ(plan_moves(exact, nodes, {}, balancing::printed), (std::vector<area_move>{}));
  EXPECT_EQ(plan_moves(exact, nodes, {}).size(), 1u);
  // Nor is an area that is too hot for a slow node relieved; but a little is moved, however near its share a node is.
  const auto unequal = nodes_with({10, 40});
  const std::vector<area> hot = {{.node = 0, .heat = 90}, {.node = 1, .heat = 10}};
  EXPECT_TRUE(plan_moves(hot, unequal, {}, balancing::printed).empty());
  EXPECT_EQ(plan_moves(hot, unequal, {}).size(), 1u);
  const std::vector<area> nearly = {{.node = 0, .heat = 104}, {.node = 0, .heat = 0.4}, {.node = 1, .heat = 395.6}};
  EXPECT_EQ(plan_moves(nearly, unequal, {}, balancing::printed), (std::vector<area_move>{{1, 1}}));
}

}  // namespace
}  // namespace jackdaw::sched
