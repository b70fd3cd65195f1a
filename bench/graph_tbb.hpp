#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include "kernels/common/graph.hpp"

namespace jackdaw::bench::tbb_sides {

/// Calls f(first, last) for ranges that cover all vertices. With the same partitioner and graph, a thread mostly gets
/// the same vertices again.
template <class F>
void for_vertices(const kernels::graph& g, tbb::affinity_partitioner& affinity, const F& f) {
  tbb::parallel_for(
      tbb::blocked_range<kernels::vertex>(0, g.vertices()), [&](const auto& part) { f(part.begin(), part.end()); },
      affinity);
}

/// A copy of a graph whose pages are first written by the threads to which for_vertices gives them.
inline kernels::graph placed(const kernels::graph& g, tbb::affinity_partitioner& affinity) {
  kernels::graph copy = g.unwritten_copy();
  for_vertices(g, affinity, [&](auto first, auto last) { copy.copy_vertices(g, first, last); });
  return copy;
}

}  // namespace jackdaw::bench::tbb_sides
