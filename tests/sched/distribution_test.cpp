// Which memory node the data of a leaf belong to.
#include "sched/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace jackdaw::sched {
namespace {

/// Four sockets with a DRAM and an HBM node each, all DRAM first, as Linux numbers them on Knights Landing.
std::vector<memory_node> knights_landing() {
  std::vector<memory_node> nodes;
  for (std::uint32_t i = 0; i < 4; ++i) nodes.push_back({.squad = i, .fast = false, .bandwidth = 22.5});
  for (std::uint32_t i = 0; i < 4; ++i) nodes.push_back({.squad = i, .fast = true, .bandwidth = 96});
  return nodes;
}

/// How many of `count` equal leaves each node gets, after a check that those of a node follow one another.
std::vector<unsigned> shares(const distribution& of, unsigned count, std::size_t nodes) {
  std::vector<unsigned> leaves(nodes);
  std::uint32_t last = none;
  for (unsigned leaf = 0; leaf < count; ++leaf) {
    const std::uint32_t node = of.node_of({span::one / count * leaf, span::one / count * (leaf + 1)});
    if (node != last) {
      EXPECT_EQ(leaves[node], 0u) << "node " << node << " has leaves in two places";
    }
    last = node;
    ++leaves[node];
  }
  return leaves;
}

TEST(distribution, is_equation_2_by_hand) {
  const std::vector<memory_node> nodes = knights_landing();
  const distribution apart(nodes, node_sequence::apart, true);
  // n = 79, so that 474 GB/s are 6 a leaf: the first node has leaves ceil(79 * 0 / 474) = 0 to ceil(79 * 22.5 / 474) -
  // 1 = ceil(3.75) - 1 = 3, the second from 4 to ceil(7.5) - 1 = 7, then to 11, 14, 30, 46, 62, 78.
  EXPECT_EQ(shares(apart, 79, 8), (std::vector<unsigned>{4, 4, 4, 3, 16, 16, 16, 16}));
  const distribution adjacent(nodes, node_sequence::adjacent, true);
  // Ends at 3.75, 19.75, 23.5, 39.5, 43.25, 59.25, 63, 79, rounded up.
  EXPECT_EQ(shares(adjacent, 79, 8), (std::vector<unsigned>{4, 4, 4, 3, 16, 16, 16, 16}));
  EXPECT_EQ(adjacent.node_of({0, 1}), 0u);
  EXPECT_EQ(adjacent.node_of({span::one / 4, span::one}), 1u);
  EXPECT_EQ(adjacent.node_of({span::one / 79 * 5, span::one}), 4u);
}

TEST(distribution, gives_each_leaf_one_node_and_each_node_its_share) {
  const std::vector<memory_node> nodes = knights_landing();
  for (const node_sequence order : {node_sequence::apart, node_sequence::adjacent}) {
    for (const unsigned count : {1u, 7u, 64u, 1000u, 4096u}) {
      const std::vector<unsigned> leaves = shares(distribution(nodes, order, true), count, nodes.size());
      unsigned sum = 0;
      for (std::size_t node = 0; node < nodes.size(); ++node) {
        EXPECT_LE(std::abs(leaves[node] - count * nodes[node].bandwidth / 474), 1.0);
        sum += leaves[node];
      }
      EXPECT_EQ(sum, count);
    }
  }
}

TEST(distribution, even_parts_end_where_leaves_do) {
  const std::vector<memory_node> nodes = knights_landing();
  EXPECT_EQ(shares(distribution(nodes, node_sequence::apart, false), 24, 8), std::vector<unsigned>(8, 3));
  // A task that owns nothing belongs somewhere as well.
  EXPECT_EQ(distribution(nodes, node_sequence::apart, false).node_of({span::one, span::one}), 7u);
}

}  // namespace
}  // namespace jackdaw::sched
