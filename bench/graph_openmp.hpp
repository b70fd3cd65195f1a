#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/common/graph.hpp"

namespace jackdaw::bench::openmp_sides {

/// Calls f(first, last) for ranges that cover all vertices. Scheduled dynamically, because a few vertices have most of
/// the edges.
template <class F>
void for_vertices(const kernels::graph& g, int threads, const F& f) {
  constexpr std::uint64_t block = 256;
  const std::uint64_t vertices = g.vertices();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::uint64_t first = 0; first < vertices; first += block) {
    f(static_cast<kernels::vertex>(first), static_cast<kernels::vertex>(std::min(first + block, vertices)));
  }
}

/// A copy of a graph whose pages are first written by all threads.
inline kernels::graph placed(const kernels::graph& g, int threads) {
  kernels::graph copy = g.unwritten_copy();
  for_vertices(g, threads, [&](auto first, auto last) { copy.copy_vertices(g, first, last); });
  return copy;
}

}  // namespace jackdaw::bench::openmp_sides
