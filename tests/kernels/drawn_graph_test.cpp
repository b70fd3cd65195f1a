#include "kernels/common/drawn_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {
namespace {

/// The part of all edges that end at vertices below `end`.
double part_below(const graph& g, vertex end) {
  const auto targets = g.targets(0, g.vertices());
  return static_cast<double>(std::ranges::count_if(targets, [=](vertex v) { return v < end; })) /
         static_cast<double>(targets.size());
}

TEST(drawn_graph, vertices_have_any_number_of_edges_in_the_range_to_as_many_others) {
  for (const bool skewed : {false, true}) {
    const graph g = drawn_graph({.vertices = 3000, .least = 2, .most = 20, .skewed = skewed});
    ASSERT_EQ(g.vertices(), 3000u);
    std::vector<unsigned> with(21);
    for (vertex v = 0; v != g.vertices(); ++v) {
      const auto edges = g.neighbours(v);
      ASSERT_GE(edges.size(), 2u);
      ASSERT_LE(edges.size(), 20u);
      ++with[edges.size()];
      for (const vertex w : edges) {
        EXPECT_LT(w, g.vertices());
        EXPECT_NE(w, v);
      }
      EXPECT_EQ(std::ranges::adjacent_find(edges, std::greater_equal<>{}), edges.end());
    }
    // 158 of each number on the average; the standard deviation is 12.
    for (unsigned edges = 2; edges <= 20; ++edges) EXPECT_NEAR(with[edges], 3000.0 / 19, 60) << edges;
  }
}

TEST(drawn_graph, ends_are_even_or_as_many_in_each_stretch) {
  constexpr vertex n = 4095 * 8;
  const graph even = drawn_graph({.vertices = n, .least = 1, .most = 10, .skewed = false});
  const graph skewed = drawn_graph({.vertices = n, .least = 1, .most = 10, .skewed = true});
  for (unsigned stretch = 1; stretch != 12; ++stretch) {
    const vertex end = 8 * ((1U << stretch) - 1);
    EXPECT_NEAR(part_below(even, end), static_cast<double>(end) / n, 0.01) << stretch;
    // Slightly less in the first stretch, where duplicate edges are drawn again.
    EXPECT_NEAR(part_below(skewed, end), stretch / 12.0, 0.02) << stretch;
  }
}

TEST(drawn_graph, few_vertices_are_cut_into_fewer_stretches) {
  const graph g = drawn_graph({.vertices = 63, .least = 1, .most = 3, .skewed = true});
  EXPECT_GT(part_below(g, 7), 0.3);
  const graph whole = drawn_graph({.vertices = 6, .least = 5, .most = 5, .skewed = true});
  EXPECT_EQ(whole.edges(), 30u);
}

TEST(drawn_graph, a_vertex_alone_determines_its_edges) {
  const drawn_edges how{.vertices = 200'000, .least = 1, .most = 10, .skewed = true};
  const graph g = drawn_graph(how);
  std::vector<vertex> edges;
  for (vertex v = 0; v < how.vertices; v += 499) {
    edges.resize(how.degree(v));
    how.draw(v, edges);
    ASSERT_TRUE(std::ranges::equal(edges, g.neighbours(v))) << v;
  }
}

TEST(drawn_graph, is_the_same_on_every_computer) {
  const graph g = drawn_graph({.vertices = 1000, .least = 2, .most = 20, .skewed = true});
  std::uint64_t sum = 0;
  for (vertex v = 0; v != g.vertices(); ++v)
    for (const vertex w : g.neighbours(v)) sum += mix(std::uint64_t{v} << 32 | w);
  EXPECT_EQ(sum, 13334770080974837980u);
}

}  // namespace
}  // namespace jackdaw::kernels
