#pragma once

#include <cstdint>
#include <span>

#include "kernels/common/graph.hpp"

namespace jackdaw::kernels {

/// A graph with random edges. A hash of a vertex's number alone determines its edges, so that the graph is the same
/// everywhere, for any number of threads. A vertex has `least` to `most` edges, each number equally likely, to distinct
/// other vertices.
struct drawn_edges {
  vertex vertices;       ///< more than `most`
  unsigned least, most;  ///< edges of a vertex; least >= 1

  /// The distribution of edges' ends. False: uniform. True: Zipf's law in steps. The vertices are cut into 12 stretches
  /// (fewer below 4095 vertices), each twice as long as the one before, and each gets the same number of ends. A vertex
  /// of the first stretch gets 2048 times as many as one of the last; the first 64th of all vertices gets about half.
  bool skewed;

  /// Returns how many edges v has.
  unsigned degree(vertex v) const;

  /// Draws the edges of v into a span of degree(v), in ascending order: none twice, none to v.
  void draw(vertex v, std::span<vertex> targets) const;

 private:
  vertex end(std::uint64_t draw) const;
};

/// Returns the whole graph, drawn by one thread per processor.
graph drawn_graph(const drawn_edges& edges);

}  // namespace jackdaw::kernels
