#include "kernels/common/graph.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/common/choice.hpp"
#include "kernels/common/drawn_graph.hpp"
#include "kernels/common/graph_file.hpp"
#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {
namespace {

constexpr unsigned edges_per_vertex = 16;

struct graph_size {
  unsigned scale;           ///< of an R-MAT graph, log2 of its vertices; 0: a drawn one
  unsigned parts = 0;       ///< of a drawn one: vertices in 1024ths of bats_graph::vertices
  bool skewed = false;      ///< the distribution of its edges' ends
  unsigned iterations = 0;  ///< unless the request says otherwise; 0: the kernel's
};

constexpr auto sizes = std::to_array<choice<graph_size>>({{"medium", {18}},
                                                          {"tiny", {8}},
                                                          {"small", {15}},
                                                          {"large", {21}},
                                                          {"bats", {0, 1024, true, 200}},
                                                          {"bats/4", {0, 256, true, 20}},
                                                          {"bats/16", {0, 64, true, 20}},
                                                          {"bats/64", {0, 16, true, 20}},
                                                          {"bats-even", {0, 1024, false, 200}},
                                                          {"bats-even/4", {0, 256, false, 20}},
                                                          {"bats-even/16", {0, 64, false, 20}},
                                                          {"bats-even/64", {0, 16, false, 20}},
                                                          {"bats-2g/16", {0, 8, true, 20}},
                                                          {"bats-4g/16", {0, 16, true, 20}},
                                                          {"bats-8g/16", {0, 32, true, 20}},
                                                          {"bats-12g/16", {0, 48, true, 20}},
                                                          {"bats-20g/16", {0, 80, true, 20}},
                                                          {"bats-24g/16", {0, 96, true, 20}}});

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
  // Each bit of an edge's two ends is drawn at once: both zero in 57 of 100 cases, only one of them set in 19 each,
  // both set in the other 5.
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

graph requested_graph(std::string_view kernel, const request& wanted, reading how, const bats_graph& drawn) {
  const bool generated = wanted.input.empty();
  const graph_size size = generated ? choose(sizes, kernel, "size", wanted.size) : graph_size{};
  if (generated && size.scale == 0) {
    graph g = drawn_graph({.vertices = drawn.vertices / 1024 * size.parts,
                           .least = drawn.least,
                           .most = drawn.most,
                           .skewed = size.skewed});
    return how == reading::both ? g.undirected() : std::move(g);
  }
  graph g =
      generated ? rmat_graph(size.scale, std::uint64_t{edges_per_vertex} << size.scale) : read_graph(wanted.input);
  return how == reading::both ? g.undirected() : how == reading::against ? g.reversed() : std::move(g);
}

unsigned requested_rounds(std::string_view kernel, const request& wanted, unsigned otherwise) {
  if (wanted.iterations != 0) return wanted.iterations;
  const unsigned by_size = wanted.input.empty() ? choose(sizes, kernel, "size", wanted.size).iterations : 0;
  return by_size != 0 ? by_size : otherwise;
}

std::vector<std::string_view> graph_sizes() { return names(sizes); }

}  // namespace jackdaw::kernels
