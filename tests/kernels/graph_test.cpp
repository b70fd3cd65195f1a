#include "kernels/common/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace jackdaw::kernels {
namespace {

using vertices = std::vector<vertex>;

vertices of(std::span<const vertex> range) { return {range.begin(), range.end()}; }

TEST(graph, edges_are_sorted_and_kept_once) {
  const graph g = graph::from_edges(4, {{2, 3}, {0, 2}, {0, 1}, {2, 3}, {2, 2}, {0, 2}});
  EXPECT_EQ(g.vertices(), 4u);
  EXPECT_EQ(g.edges(), 4u);
  EXPECT_EQ(of(g.neighbours(0)), (vertices{1, 2}));
  EXPECT_EQ(of(g.neighbours(1)), vertices{});
  EXPECT_EQ(of(g.neighbours(2)), (vertices{2, 3}));
  EXPECT_EQ(of(g.neighbours(3)), vertices{});
  EXPECT_EQ(g.work(0, 4), 8);
  EXPECT_EQ(g.work(1, 2), 1);
}

TEST(graph, reversed_turns_every_edge) {
  const graph g = graph::from_edges(3, {{0, 1}, {0, 2}, {1, 2}}).reversed();
  EXPECT_EQ(of(g.neighbours(0)), vertices{});
  EXPECT_EQ(of(g.neighbours(1)), (vertices{0}));
  EXPECT_EQ(of(g.neighbours(2)), (vertices{0, 1}));
}

TEST(graph, undirected_has_each_edge_both_ways_once) {
  const graph g = graph::from_edges(3, {{0, 1}, {1, 0}, {2, 2}, {1, 2}}).undirected();
  EXPECT_EQ(of(g.neighbours(0)), (vertices{1}));
  EXPECT_EQ(of(g.neighbours(1)), (vertices{0, 2}));
  EXPECT_EQ(of(g.neighbours(2)), (vertices{1, 2}));
}

TEST(graph, copies_by_parts) {
  const graph g = rmat_graph(6, 300);
  graph copy = g.unwritten_copy();
  copy.copy_vertices(g, 40, 64);
  copy.copy_vertices(g, 0, 1);
  copy.copy_vertices(g, 1, 40);
  ASSERT_EQ(copy.vertices(), 64u);
  for (vertex v = 0; v != 64; ++v) EXPECT_EQ(of(copy.neighbours(v)), of(g.neighbours(v))) << v;
}

TEST(rmat, is_the_same_every_time_and_uneven) {
  const graph g = rmat_graph(10, 16000), again = rmat_graph(10, 16000);
  ASSERT_EQ(g.edges(), again.edges());
  for (vertex v = 0; v != g.vertices(); ++v) EXPECT_EQ(of(g.neighbours(v)), of(again.neighbours(v)));
  EXPECT_GT(g.neighbours(0).size(), 10 * g.edges() / g.vertices());
}

constexpr bats_graph small{.vertices = 1 << 14, .least = 2, .most = 6};

TEST(requested_graph, sizes_of_bats_are_read_along_drawn_edges_or_both_ways) {
  const auto wanted = [](reading how) { return requested_graph("kernel", {.size = "bats/64"}, how, small); };
  const graph along = wanted(reading::along), against = wanted(reading::against), both = wanted(reading::both);
  ASSERT_EQ(along.vertices(), 256u);
  ASSERT_EQ(both.vertices(), 256u);
  for (vertex v = 0; v != 256; ++v) {
    EXPECT_GE(along.neighbours(v).size(), 2u);
    EXPECT_LE(along.neighbours(v).size(), 6u);
    EXPECT_EQ(of(along.neighbours(v)), of(against.neighbours(v)));
    for (const vertex w : along.neighbours(v)) {
      EXPECT_TRUE(std::ranges::binary_search(both.neighbours(v), w));
      EXPECT_TRUE(std::ranges::binary_search(both.neighbours(w), v));
    }
  }
  EXPECT_LE(both.edges(), 2 * along.edges());
  EXPECT_EQ(requested_graph("kernel", {.size = "bats-24g/16"}, reading::along, small).vertices(), 16u * 96);
}

TEST(requested_graph, skew_is_a_matter_of_size) {
  const auto hot = [](const char* size) {
    const graph g = requested_graph("kernel", {.size = size}, reading::along, small);
    return std::ranges::count_if(g.targets(0, g.vertices()), [&](vertex v) { return v < g.vertices() / 16; });
  };
  EXPECT_GT(hot("bats/16"), 4 * hot("bats-even/16"));
}

TEST(requested_graph, rounds_are_the_requests_or_the_sizes_or_the_kernels) {
  EXPECT_EQ(requested_rounds("kernel", {.size = "bats", .iterations = 3}, 7), 3u);
  EXPECT_EQ(requested_rounds("kernel", {.size = "bats"}, 7), 200u);
  EXPECT_EQ(requested_rounds("kernel", {.size = "bats/16"}, 7), 20u);
  EXPECT_EQ(requested_rounds("kernel", {.size = "small"}, 7), 7u);
  EXPECT_EQ(requested_rounds("kernel", {.size = "bats", .input = "graph.txt"}, 7), 7u);
}

}  // namespace
}  // namespace jackdaw::kernels
