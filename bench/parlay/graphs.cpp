#include <parlay/parallel.h>
#include <parlay/primitives.h>
#include <parlay/sequence.h>

#include <algorithm>
#include <atomic>

#include "programs.hpp"

namespace programs {
namespace {

/// Which vertices are connected; roots are looked for by several tasks while none is united.
class components {
 public:
  explicit components(std::size_t n)
      : parents_(parlay::tabulate<std::atomic<std::uint32_t>>(
            n, [](std::size_t i) { return static_cast<std::uint32_t>(i); })) {}

  std::uint32_t root(std::uint32_t of) {
    for (std::uint32_t parent = parents_[of]; parent != of; parent = parents_[of]) {
      const std::uint32_t above = parents_[parent];
      parents_[of].compare_exchange_weak(parent, above);
      of = above;
    }
    return of;
  }
  bool unite(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return false;
    parents_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  parlay::sequence<std::atomic<std::uint32_t>> parents_;
};

using edges_of = parlay::sequence<std::pair<edge, std::size_t>>;

bool is_lighter(const std::pair<edge, std::size_t>& a, const std::pair<edge, std::size_t>& b) {
  return std::pair(a.first.weight, a.second) < std::pair(b.first.weight, b.second);
}

/// Kruskal's algorithm, which leaves out heavy edges that the light ones have made superfluous.
// NOLINTNEXTLINE(misc-no-recursion)
void filtered_kruskal(edges_of edges, components& connected, parlay::sequence<std::size_t>& chosen) {
  if (edges.size() < 2000) {
    std::sort(edges.begin(), edges.end(), is_lighter);
    for (const auto& [each, number] : edges) {
      if (connected.unite(each.from, each.to)) chosen.push_back(number);
    }
    return;
  }
  const auto pivot = edges[edges.size() / 2];
  filtered_kruskal(parlay::filter(edges, [&](const auto& e) { return is_lighter(e, pivot); }), connected, chosen);
  if (connected.unite(pivot.first.from, pivot.first.to)) chosen.push_back(pivot.second);
  filtered_kruskal(parlay::filter(edges,
                                  [&](const auto& e) {
                                    return is_lighter(pivot, e) &&
                                           connected.root(e.first.from) != connected.root(e.first.to);
                                  }),
                   connected, chosen);
}

}  // namespace

std::vector<std::uint32_t> distances(const std::vector<std::vector<std::uint32_t>>& graph, std::uint32_t start) {
  auto result = parlay::tabulate<std::atomic<std::uint32_t>>(graph.size(), [](std::size_t) { return unreached; });
  parlay::sequence<std::uint32_t> frontier(1, start);
  result[start] = 0;
  for (std::uint32_t distance = 1; !frontier.empty(); ++distance) {
    auto found = parlay::map(frontier, [&](std::uint32_t v) {
      return parlay::filter(graph[v], [&](std::uint32_t w) {
        std::uint32_t expected = unreached;
        return result[w] == unreached && result[w].compare_exchange_strong(expected, distance);
      });
    });
    frontier = parlay::flatten(std::move(found));
  }
  return {result.begin(), result.end()};
}

std::vector<std::size_t> minimum_forest(const std::vector<edge>& edges, std::size_t vertices) {
  components connected(vertices);
  parlay::sequence<std::size_t> chosen;
  filtered_kruskal(parlay::tabulate(edges.size(), [&](std::size_t i) { return std::pair(edges[i], i); }), connected,
                   chosen);
  parlay::integer_sort_inplace(chosen);
  return {chosen.begin(), chosen.end()};
}

}  // namespace programs
