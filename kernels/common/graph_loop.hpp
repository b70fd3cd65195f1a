#pragma once

#include "kernels/common/graph.hpp"

#include <jackdaw/access.hpp>
#include <jackdaw/jackdaw.hpp>

namespace jackdaw::kernels {

/// Calls f(first, last) for ranges that cover all vertices. The number of edges of a range is its work hint.
template <class F>
void for_vertices(const graph& g, const F& f) {
  jackdaw::for_range(vertex{0}, g.vertices(), f, jackdaw::work_of{[&g](auto first, auto last) {
                       return g.work(static_cast<vertex>(first), static_cast<vertex>(last));
                     }});
}

/// Declares that a task reads the edges of vertices first..last-1. Reads of the vertices at their other ends are
/// declared by neighbour_reads.
inline void reads_edges(const graph& g, vertex first, vertex last) {
  jackdaw::reads(g.offsets(first, last));
  jackdaw::reads(g.targets(first, last));
}

/// Returns a copy of a graph in which each vertex's edges are first written by the worker to which for_vertices gives
/// the vertex. Reads of the original are not declared, because it no longer exists when the measured part begins.
inline graph placed(const graph& g) {
  graph copy = g.unwritten_copy();
  for_vertices(g, [&](vertex first, vertex last) {
    jackdaw::writes(copy.offsets(first, last));
    jackdaw::writes(copy.targets_as_in(g, first, last));
    copy.copy_vertices(g, first, last);
  });
  return copy;
}

}  // namespace jackdaw::kernels
