#include "kernels/graph.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/choice.hpp"
#include "kernels/graph_file.hpp"
#include "kernels/mix.hpp"

namespace jackdaw::kernels {
namespace {

constexpr unsigned edges_per_vertex = 16;

/// log2 of the number of vertices.
constexpr auto scales = std::to_array<choice<unsigned>>({{"medium", 18}, {"tiny", 8}, {"small", 15}, {"large", 21}});

}  // namespace

graph graph::from_edges(std::size_t vertices, std::vector<edge> edges) {
  // A counting sort by source, then each vertex's targets are sorted and made unique.
  std::vector<std::uint64_t> next(vertices + 1);
  for (const edge& e : edges) ++next[e.from];
  std::exclusive_scan(next.begin(), next.end(), next.begin(), std::uint64_t{0});
  std::vector<vertex> targets(edges.size());
  for (const edge& e : edges) targets[next[e.from]++] = e.to;
  edges = {};

  buffer<std::uint64_t> offsets(vertices + 1);
  std::uint64_t begin = 0, kept = 0;
  for (std::size_t v = 0; v != vertices; ++v) {
    offsets[v] = kept;
    const auto first = targets.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = targets.begin() + static_cast<std::ptrdiff_t>(next[v]);
    begin = next[v];
    std::sort(first, last);
    const auto last_unique = std::unique(first, last);
    const auto out = targets.begin() + static_cast<std::ptrdiff_t>(kept);
    if (out != first) std::copy(first, last_unique, out);
    kept += static_cast<std::uint64_t>(last_unique - first);
  }
  offsets[vertices] = kept;
  buffer<vertex> unique_targets(kept);
  std::copy_n(targets.begin(), kept, unique_targets.begin());
  return {std::move(offsets), std::move(unique_targets)};
}

void graph::copy_vertices(const graph& from, vertex first, vertex last) {
  std::copy(from.offsets_.data() + first, from.offsets_.data() + last, offsets_.data() + first);
  if (last == vertices()) offsets_[last] = from.offsets_[last];
  std::copy(from.targets_.data() + from.offset(first), from.targets_.data() + from.offset(last),
            targets_.data() + from.offset(first));
}

std::vector<edge> graph::list() const {
  std::vector<edge> result;
  result.reserve(edges());
  for (vertex v = 0; v != vertices(); ++v)
    for (const vertex to : neighbours(v)) result.push_back({v, to});
  return result;
}

graph graph::reversed() const {
  std::vector<edge> turned = list();
  for (edge& e : turned) std::swap(e.from, e.to);
  return from_edges(vertices(), std::move(turned));
}

graph graph::undirected() const {
  std::vector<edge> both = list();
  const std::size_t one_way = both.size();
  both.reserve(2 * one_way);
  for (std::size_t i = 0; i != one_way; ++i) both.push_back({both[i].to, both[i].from});
  return from_edges(vertices(), std::move(both));
}

graph rmat_graph(unsigned scale, std::uint64_t edges) {
  // Each bit of an edge's two ends is drawn at once: both zero with 57 in 100, one of them with 19 each, else both.
  std::vector<edge> list(edges);
  std::uint64_t draws = 0;
  for (edge& e : list) {
    e = {0, 0};
    for (unsigned bit = 0; bit != scale; ++bit) {
      const std::uint64_t draw = mix(draws++) % 100;
      e.from = 2 * e.from + (draw >= 76);
      e.to = 2 * e.to + ((draw >= 57 && draw < 76) || draw >= 95);
    }
  }
  return graph::from_edges(std::size_t{1} << scale, std::move(list));
}

graph requested_graph(std::string_view kernel, const request& wanted) {
  if (!wanted.input.empty()) return read_graph(wanted.input);
  const unsigned scale = choose(scales, kernel, "size", wanted.size);
  return rmat_graph(scale, std::uint64_t{edges_per_vertex} << scale);
}

std::vector<std::string_view> graph_sizes() { return names(scales); }

}  // namespace jackdaw::kernels
