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

  /// Where v's edges lie among all; v may be vertices(), for the end of the last one's.
  std::uint64_t offset(vertex v) const { return offsets_[v]; }

  /// Where v's edges lead, in ascending order.
  std::span<const vertex> neighbours(vertex v) const {
    return {targets_.data() + offset(v), targets_.data() + offset(v + 1)};
  }

  /// The entries of offsets() and of the edges' array that belong to vertices first..last-1.
  std::span<const std::uint64_t> offsets(vertex first, vertex last) const {
    return {offsets_.data() + first, offsets_.data() + last + (first != last ? 1 : 0)};
  }
  std::span<const vertex> targets(vertex first, vertex last) const { return targets_as_in(*this, first, last); }
  /// The same of an unwritten copy of `original`.
  std::span<const vertex> targets_as_in(const graph& original, vertex first, vertex last) const {
    return {targets_.data() + original.offset(first), targets_.data() + original.offset(last)};
  }

  /// The amount of work in a range of vertices for an algorithm that looks at all of their edges.
  double work(vertex first, vertex last) const {
    return static_cast<double>(offset(last) - offset(first)) + static_cast<double>(last - first);
  }

  /// A graph of the same size whose memory nobody has written to yet; to be filled by copy_vertices.
  graph unwritten_copy() const { return {buffer<std::uint64_t>(offsets_.size()), buffer<vertex>(targets_.size())}; }

  /// Copies the edges of vertices first..last-1 of the graph that this is an unwritten copy of.
  void copy_vertices(const graph& from, vertex first, vertex last);

  /// The graph with every edge turned round.
  graph reversed() const;

  /// The graph with every edge in both directions.
  graph undirected() const;

 private:
  buffer<std::uint64_t> offsets_;  // vertices() + 1 of them
  buffer<vertex> targets_;

  std::vector<edge> list() const;
};

/// A graph like a social network's: R-MAT (Chakrabarti et al. 2004) with the Graph500 parameters, 2^scale vertices of
/// which the low ones have most of the edges. The same one every time.
graph rmat_graph(unsigned scale, std::uint64_t edges);

/// Which way a kernel reads along a graph's edges: from their beginnings to their ends, against them, or both.
enum class reading : std::uint8_t { along, against, both };

/// The graphs of BATS, section 9.2, for a kernel (kernels/common/drawn_graph.hpp). Drawn edges are those that a kernel
/// reads along, or against; in both directions each is there twice.
struct bats_graph {
  vertex vertices;       ///< at size `bats`
  unsigned least, most;  ///< edges of a vertex
};

/// The graph that a request for a graph kernel asks for: its input file (kernels/common/graph_file.hpp), else a
/// generated one of its size; each vertex with the edges to what it reads. `kernel` is for messages. Throws
/// jackdaw::error.
graph requested_graph(std::string_view kernel, const request& wanted, reading how, const bats_graph& drawn);

/// How many rounds a request asks for; `otherwise` if neither it nor its size says so.
unsigned requested_rounds(std::string_view kernel, const request& wanted, unsigned otherwise);

/// Sizes of generated graphs: `medium`, `tiny`, `small` and `large` are R-MAT. `bats` is the shape of BATS, section
/// 9.2, with skewed ends of edges, `bats-even` the same with even ones; `bats/N` has an Nth of the vertices,
/// `bats-Gg/16` a 16th of those with which BATS had G GB (figure 12; a sixteenth of `bats`'s vertices for each).
std::vector<std::string_view> graph_sizes();

}  // namespace jackdaw::kernels
