#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/graph.hpp"
#include "kernels/common/kernel.hpp"

namespace jackdaw::kernels {

enum class labelprop_shape { rounds };
inline constexpr auto labelprop_shapes = std::to_array<choice<labelprop_shape>>({{"rounds", labelprop_shape::rounds}});

/// Communities by label propagation (Raghavan et al. 2007), in synchronous rounds: every vertex takes the most frequent
/// label among its neighbours, with edges in both directions, and the lowest of equally frequent ones. The result does
/// not depend on the order of execution.
class labelprop_problem : public problem {
 public:
  explicit labelprop_problem(const request& wanted)
      : rounds(requested_rounds("labelprop", wanted, 5)),
        edges(requested_graph("labelprop", wanted, reading::both, {.vertices = 1 << 23, .least = 2, .most = 20})),
        labels{buffer<vertex>(edges.vertices()), buffer<vertex>(edges.vertices())} {
    choose(labelprop_shapes, "labelprop", "shape", wanted.shape);
  }

  void prepare() override { reset(0, edges.vertices()); }

  void check() override {
    if (expected_.empty()) expected_ = serial_labels();
    const buffer<vertex>& found = labels[rounds % 2];
    const auto [at, wrong] = std::ranges::mismatch(found, expected_);
    if (at != found.end())
      throw check_failed("vertex " + std::to_string(at - found.begin()) + " has label " + std::to_string(*at) +
                         ", expected " + std::to_string(*wrong));
  }

  double items() const override { return static_cast<double>(edges.edges()) * rounds; }
  std::string_view unit() const override { return "edges"; }

 protected:
  const unsigned rounds;
  graph edges;
  std::array<buffer<vertex>, 2> labels;  ///< before round t in labels[t % 2], after it in the other

  /// Labels of vertices first..last-1 before the first round: their own numbers.
  void reset(vertex first, vertex last) {
    for (buffer<vertex>& each : labels) std::iota(each.data() + first, each.data() + last, first);
  }

  /// Makes round t for vertices first..last-1.
  void vote(unsigned t, vertex first, vertex last) {
    const buffer<vertex>& now = labels[t % 2];
    buffer<vertex>& next = labels[(t + 1) % 2];
    std::vector<vertex> votes;
    for (vertex v = first; v != last; ++v) {
      const auto voters = edges.neighbours(v);
      if (voters.empty()) {
        next[v] = now[v];
      } else if (voters.size() <= few) {
        next[v] = winner_of_few(now, voters);
      } else {
        votes.clear();
        for (const vertex w : voters) votes.push_back(now[w]);
        next[v] = winner(votes);
      }
    }
  }

 private:
  std::vector<vertex> expected_;

  /// Returns the most frequent of the votes and sorts them. There must be at least one.
  static vertex winner(std::vector<vertex>& votes) {
    std::sort(votes.begin(), votes.end());
    vertex best = votes.front();
    std::ptrdiff_t most = 0;
    for (auto first = votes.begin(); first != votes.end();) {
      const auto last = std::find_if(first, votes.end(), [first](vertex v) { return v != *first; });
      if (last - first > most) {
        most = last - first;
        best = *first;
      }
      first = last;
    }
    return best;
  }

  /// For up to this many votes it is faster to compare all pairs, several at once, than to sort.
  static constexpr std::size_t few = 64;

  static vertex winner_of_few(const buffer<vertex>& now, std::span<const vertex> voters) {
    constexpr std::size_t at_once = 8;
    constexpr vertex no_label = ~vertex{0};
    std::array<vertex, few> votes;
    std::size_t end = 0;
    for (const vertex w : voters) votes[end++] = now[w];
    for (; end % at_once != 0; ++end) votes[end] = no_label;
    // More votes give a larger key; with equal votes the lower label gives the larger key.
    std::uint64_t best = 0;
    for (std::size_t i = 0; i != voters.size(); ++i) {
      std::array<std::uint32_t, at_once> equal{};
      for (std::size_t j = 0; j != end; j += at_once)
        for (std::size_t k = 0; k != at_once; ++k) equal[k] += votes[j + k] == votes[i] ? 1 : 0;
      const std::uint64_t count = std::accumulate(equal.begin(), equal.end(), std::uint32_t{0});
      best = std::max(best, count << 32 | (no_label - votes[i]));
    }
    return no_label - static_cast<vertex>(best);
  }

  /// Counts votes in a table of all labels instead of sorting them, and shares no code with what it checks.
  std::vector<vertex> serial_labels() const {
    std::vector<vertex> now(edges.vertices()), next(edges.vertices());
    std::vector<std::uint32_t> count(edges.vertices());
    std::iota(now.begin(), now.end(), vertex{0});
    for (unsigned t = 0; t != rounds; ++t) {
      for (vertex v = 0; v != edges.vertices(); ++v) {
        vertex best = now[v];
        std::uint32_t most = 0;
        for (const vertex w : edges.neighbours(v)) ++count[now[w]];
        for (const vertex w : edges.neighbours(v)) {
          const vertex label = now[w];
          if (count[label] > most || (count[label] == most && label < best)) {
            most = count[label];
            best = label;
          }
        }
        for (const vertex w : edges.neighbours(v)) count[now[w]] = 0;
        next[v] = best;
      }
      now.swap(next);
    }
    return now;
  }
};

}  // namespace jackdaw::kernels
