#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/common/buffer.hpp"
#include "kernels/common/kernel.hpp"

namespace jackdaw::kernels {

using vertex = std::uint32_t;

struct edge {
  vertex from, to;
};

/// A directed graph as compressed sparse rows: each vertex's edges lie together, sorted, none twice.
class graph {
 public:
  graph() = default;
  graph(buffer<std::uint64_t> offsets, buffer<vertex> targets)
      : offsets_(std::move(offsets)), targets_(std::move(targets)) {}

  /// The graph of vertices 0..vertices-1 with these edges, whose ends must be among them.
  static graph from_edges(std::size_t vertices, std::vector<edge> edges);

  vertex vertices() const { return static_cast<vertex>(offsets_.size() - 1); }
  std::uint64_t edges() const { return targets_.size(); }

  /// The index of v's first edge among all edges; v may be vertices(), for the end of the last vertex's edges.
  std::uint64_t offset(vertex v) const { return offsets_[v]; }

  /// The targets of v's edges, in ascending order.
  std::span<const vertex> neighbours(vertex v) const {
    return {targets_.data() + offset(v), targets_.data() + offset(v + 1)};
  }

  /// The entries of offsets() and of the edges' array that belong to vertices first..last-1.
  std::span<const std::uint64_t> offsets(vertex first, vertex last) const {
    return {offsets_.data() + first, offsets_.data() + last + (first != last ? 1 : 0)};
  }
  std::span<const vertex> targets(vertex first, vertex last) const { return targets_as_in(*this, first, last); }
  /// The same for an unwritten copy of `original`.
  std::span<const vertex> targets_as_in(const graph& original, vertex first, vertex last) const {
    return {targets_.data() + original.offset(first), targets_.data() + original.offset(last)};
  }

  /// The amount of work in a range of vertices for an algorithm that visits all of their edges.
  double work(vertex first, vertex last) const {
    return static_cast<double>(offset(last) - offset(first)) + static_cast<double>(last - first);
  }

  /// A graph of the same size in unwritten memory, which copy_vertices fills.
  graph unwritten_copy() const { return {buffer<std::uint64_t>(offsets_.size()), buffer<vertex>(targets_.size())}; }

  /// Copies the edges of vertices first..last-1 from the graph of which this is an unwritten copy.
  void copy_vertices(const graph& from, vertex first, vertex last);

  /// The graph with every edge reversed.
  graph reversed() const;

  /// The graph with every edge in both directions.
  graph undirected() const;

 private:
  buffer<std::uint64_t> offsets_;  // vertices() + 1 of them
  buffer<vertex> targets_;

  std::vector<edge> list() const;
};

/// Returns a graph like a social network's: R-MAT (Chakrabarti et al. 2004) with the Graph500 parameters and 2^scale
/// vertices. Vertices with low numbers have most of the edges. Deterministic.
graph rmat_graph(unsigned scale, std::uint64_t edges);

/// The direction in which a kernel reads along a graph's edges: from source to target, from target to source, or both.
enum class reading : std::uint8_t { along, against, both };

/// The graphs of BATS, section 9.2, for a kernel (kernels/common/drawn_graph.hpp). A kernel that reads along edges, or
/// against them, reads the drawn edges; with both directions each edge exists twice.
struct bats_graph {
  vertex vertices;       ///< at size `bats`
  unsigned least, most;  ///< edges of a vertex
};

/// Returns the graph that a request for a graph kernel asks for: its input file (kernels/common/graph_file.hpp), or
/// else a generated graph of its size. Each vertex has edges to the vertices that it reads. `kernel` is for messages.
/// Throws jackdaw::error.
graph requested_graph(std::string_view kernel, const request& wanted, reading how, const bats_graph& drawn);

/// Returns how many rounds a request asks for; `otherwise` if neither it nor its size says so.
unsigned requested_rounds(std::string_view kernel, const request& wanted, unsigned otherwise);

/// Returns the sizes of generated graphs. `medium`, `tiny`, `small` and `large` are R-MAT. `bats` has the shape of
/// BATS, section 9.2, with skewed ends of edges; `bats-even` is the same with uniform ends. `bats/N` has an Nth of the
/// vertices. `bats-Gg/16` has a 16th of the vertices with which BATS had G GB (figure 12): a 16th of those of `bats`
/// for each GB.
std::vector<std::string_view> graph_sizes();

}  // namespace jackdaw::kernels
