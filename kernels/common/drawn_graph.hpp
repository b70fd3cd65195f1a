#pragma once

#include <cstdint>
#include <span>

#include "kernels/common/graph.hpp"

namespace jackdaw::kernels {

/// A graph whose edges are drawn, each vertex's by a hash of its number alone: the same graph everywhere, however many
/// threads draw it. A vertex has `least` to `most` edges, each number equally likely, to as many others.
struct drawn_edges {
  vertex vertices;       ///< more than `most`
  unsigned least, most;  ///< edges of a vertex; least >= 1

  /// Where edges end. False: at each vertex equally likely. True: by Zipf's law in steps. The vertices are cut into 12
  /// stretches (fewer below 4095 vertices), each twice as long as the one before, and each gets as many ends: a vertex
  /// of the first one 2048 times as many as one of the last, the first 64th of all about half.
  bool skewed;

  /// How many edges v has.
  unsigned degree(vertex v) const;

  /// Draws the edges of v into a span of degree(v), in ascending order: none twice, none to v.
  void draw(vertex v, std::span<vertex> targets) const;

 private:
  vertex end(std::uint64_t draw) const;
};

/// The whole graph, drawn by a thread for each processor.
graph drawn_graph(const drawn_edges& edges);

}  // namespace jackdaw::kernels
