#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/graph.hpp"
#include "kernels/common/kernel.hpp"

namespace jackdaw::kernels {

/// The computation at a vertex. `pull`: it reads its neighbours and writes only its own value.
enum class graph_shape { pull };
inline constexpr auto pull_only = std::to_array<choice<graph_shape>>({{"pull", graph_shape::pull}});

/// PageRank (Page et al. 1999) by the power method, damping 0.85. The rank of vertices without outgoing edges is spread
/// evenly over all vertices.
class pagerank_problem : public problem {
 public:
  explicit pagerank_problem(const request& wanted)
      : iterations(requested_rounds("pagerank", wanted, 20)),
        sources(requested_graph("pagerank", wanted, reading::against, {.vertices = 1 << 24, .least = 1, .most = 10})),
        rank(sources.vertices()),
        share(sources.vertices()),
        out_degree(sources.vertices()),
        degrees_(sources.vertices()) {
    choose(pull_only, "pagerank", "shape", wanted.shape);
    for (const vertex source : sources.targets(0, sources.vertices())) ++degrees_[source];
    for (vertex v = 0; v != sources.vertices(); ++v)
      if (degrees_[v] == 0) dead_ends.push_back(v);
  }

  void prepare() override { reset(0, sources.vertices()); }

  /// The ranks must sum to 1 and differ from those of a serial run by less than 1e-9 in total.
  void check() override {
    if (expected_.empty()) expected_ = serial_ranks();
    double sum = 0, distance = 0;
    for (vertex v = 0; v != sources.vertices(); ++v) {
      sum += rank[v];
      distance += std::abs(rank[v] - expected_[v]);
    }
    // Written so that a NaN fails.
    if (!(std::abs(sum - 1) < 1e-9)) throw check_failed("the ranks sum to " + std::to_string(sum) + ", expected 1");
    if (!(distance < 1e-9)) throw check_failed("the ranks differ from a serial run's");
  }

  double items() const override { return static_cast<double>(sources.edges()) * iterations; }
  std::string_view unit() const override { return "edges"; }

 protected:
  static constexpr double damping = 0.85;

  const unsigned iterations;
  graph sources;                  ///< each vertex's incoming edges
  std::vector<vertex> dead_ends;  ///< vertices without outgoing edges
  buffer<double> rank, share;     ///< share: the rank that a vertex passes to each of its targets
  buffer<std::uint32_t> out_degree;

  /// Ranks of vertices first..last-1 before the first iteration.
  void reset(vertex first, vertex last) {
    for (vertex v = first; v != last; ++v) {
      rank[v] = 1.0 / sources.vertices();
      share[v] = 0;
      out_degree[v] = degrees_[v];
    }
  }

  /// First half of an iteration, for vertices first..last-1.
  void compute_shares(vertex first, vertex last) {
    for (vertex v = first; v != last; ++v) share[v] = out_degree[v] == 0 ? 0 : rank[v] / out_degree[v];
  }

  /// Returns the rank that every vertex gets in addition to its shares, given the sum of the dead ends' ranks.
  double base(double dead_end_rank) const { return (1 - damping + damping * dead_end_rank) / sources.vertices(); }

  /// Second half, for vertices first..last-1. Shares are scattered, so they are prefetched.
  void compute_ranks(vertex first, vertex last, double base) {
    constexpr std::ptrdiff_t ahead = 16;
    const std::span<const vertex> all = sources.targets(first, last);
    const vertex* const end = all.data() + all.size();
    for (vertex v = first; v != last; ++v) {
      double sum = 0;
      for (const vertex& source : sources.neighbours(v)) {
        if (end - &source > ahead) __builtin_prefetch(share.data() + (&source)[ahead]);
        sum += share[source];
      }
      rank[v] = base + damping * sum;
    }
  }

 private:
  std::vector<std::uint32_t> degrees_;  ///< the values of out_degree, which lies in memory that its readers placed
  std::vector<double> expected_;

  /// Pushes ranks along the edges instead of pulling them, and shares no code with what it checks.
  std::vector<double> serial_ranks() const {
    const graph g = sources.reversed();
    const double n = g.vertices();
    std::vector<double> now(g.vertices(), 1 / n), next(g.vertices());
    for (unsigned t = 0; t != iterations; ++t) {
      double lost = 0;
      next.assign(g.vertices(), 0);
      for (vertex v = 0; v != g.vertices(); ++v) {
        const auto targets = g.neighbours(v);
        if (targets.empty()) lost += now[v];
        for (const vertex target : targets) next[target] += now[v] / static_cast<double>(targets.size());
      }
      for (double& r : next) r = (1 - damping) / n + damping * (r + lost / n);
      now.swap(next);
    }
    return now;
  }
};

}  // namespace jackdaw::kernels
