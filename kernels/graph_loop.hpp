#pragma once

#include "kernels/graph.hpp"

#include <jackdaw/jackdaw.hpp>

namespace jackdaw::kernels {

/// Calls f(first, last) for ranges that make up all vertices. The runtime is told how many edges each range has.
template <class F>
void for_vertices(const graph& g, const F& f) {
  jackdaw::for_range(vertex{0}, g.vertices(), f, jackdaw::work_of{[&g](auto first, auto last) {
                       return g.work(static_cast<vertex>(first), static_cast<vertex>(last));
                     }});
}

/// A copy of a graph in which each vertex's edges were first written by the worker that for_vertices gives it to.
inline graph placed(const graph& g) {
  graph copy = g.unwritten_copy();
  for_vertices(g, [&](vertex first, vertex last) { copy.copy_vertices(g, first, last); });
  return copy;
}

}  // namespace jackdaw::kernels
