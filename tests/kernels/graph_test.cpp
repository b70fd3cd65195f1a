#include "kernels/graph.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace jackdaw::kernels
