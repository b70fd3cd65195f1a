#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/graph.hpp"
#include "kernels/common/kernel.hpp"

namespace jackdaw::kernels {

enum class components_shape { hook, rounds };
inline constexpr auto components_shapes =
    std::to_array<choice<components_shape>>({{"hook", components_shape::hook}, {"rounds", components_shape::rounds}});

/// Connected components of a graph, with edges in both directions: each vertex gets the number of its component's first
/// vertex. The result is the same for every order of execution.
///
/// `hook`: trees of vertices grow by hooking a root below a lower vertex (Shiloach and Vishkin 1982), without locks,
/// and are flattened in the end. `rounds`: as in Pregel and GraphX. In each of --iterations rounds every vertex takes
/// the lowest label among its own and its neighbours'. After n rounds its label is the lowest number at most n edges
/// away, which is the component's label if no vertex is farther away.
class components_problem : public problem {
 public:
  explicit components_problem(const request& wanted)
      : components_problem(wanted, choose(components_shapes, "components", "shape", wanted.shape)) {}

  void prepare() override { reset(0, edges.vertices()); }

  void check() override {
    if (rounds != 0) return check_rounds();
    const vertex n = edges.vertices();
    vertex roots = 0;
    for (vertex v = 0; v != n; ++v) {
      const auto differs = [this, v](vertex w) { return label[w] != label[v]; };
      if (label[v] > v || std::ranges::any_of(edges.neighbours(v), differs))
        throw check_failed("vertex " + std::to_string(v) + " has label " + std::to_string(label[v]) +
                           ", which a neighbour's or its own number contradicts");
      roots += label[v] == v;
    }
    // Labels are constant in every component and not above its first vertex. With one root per component, only the
    // right labels remain.
    if (const vertex expected = count_components(); roots != expected)
      throw check_failed("there came out " + std::to_string(roots) + " components, expected " +
                         std::to_string(expected));
  }

  double items() const override { return static_cast<double>(edges.edges()) * std::max(rounds, 1U); }
  std::string_view unit() const override { return "edges"; }

 protected:
  const unsigned rounds;  ///< 0: shape hook
  graph edges;            ///< in shape rounds: each in both directions
  buffer<vertex> label;   ///< hook, while running: the parent of a vertex in its tree, never above the vertex itself
  buffer<vertex> other;   ///< rounds: labels after odd rounds; labels before round 0 and after even rounds are in label

  void reset(vertex first, vertex last) {
    std::iota(label.data() + first, label.data() + last, first);
    if (rounds != 0) std::iota(other.data() + first, other.data() + last, first);
  }

  /// The labels before round t.
  const buffer<vertex>& before(unsigned t) const { return t % 2 == 0 ? label : other; }

  /// Round t for vertices first..last-1.
  void spread(unsigned t, vertex first, vertex last) {
    const buffer<vertex>& now = before(t);
    buffer<vertex>& next = t % 2 == 0 ? other : label;
    for (vertex v = first; v != last; ++v) {
      vertex lowest = now[v];
      for (const vertex w : edges.neighbours(v)) lowest = std::min(lowest, now[w]);
      next[v] = lowest;
    }
  }

  /// Joins the trees of vertices first..last-1 with those of their neighbours. Any number of calls may run at once.
  void hook(vertex first, vertex last) {
    for (vertex v = first; v != last; ++v)
      for (const vertex w : edges.neighbours(v)) join(v, w);
  }

  /// Makes the labels of vertices first..last-1 final. Any number of calls may run at once, after all of hook's.
  void flatten(vertex first, vertex last) {
    for (vertex v = first; v != last; ++v) parent(v).store(root(v), std::memory_order_relaxed);
  }

 private:
  components_problem(const request& wanted, components_shape shape)
      : rounds(rounds_of(wanted, shape)),
        edges(requested_graph("components", wanted, rounds != 0 ? reading::both : reading::along,
                              {.vertices = 1 << 23, .least = 2, .most = 20})),
        label(edges.vertices()),
        other(rounds != 0 ? edges.vertices() : 0) {}

  static unsigned rounds_of(const request& wanted, components_shape shape) {
    if (shape == components_shape::rounds) return requested_rounds("components", wanted, 20);
    if (wanted.iterations != 0)
      throw error("components: iterations are for shape 'rounds', expected none with another one");
    return 0;
  }

  std::atomic_ref<vertex> parent(vertex v) { return std::atomic_ref(label[v]); }

  /// Returns the root of v's tree. Writes nothing.
  vertex root(vertex v) {
    vertex up = parent(v).load(std::memory_order_relaxed);
    while (up != v) {
      v = up;
      up = parent(v).load(std::memory_order_relaxed);
    }
    return v;
  }

  /// The same, and halves the path to the root. A vertex with a parent never becomes a root again, and every stored
  /// parent is an ancestor, so a late store only lengthens the path again. A late store would break flatten's result,
  /// so only hook may call this.
  vertex halving_root(vertex v) {
    while (true) {
      const vertex up = parent(v).load(std::memory_order_relaxed);
      const vertex beyond = parent(up).load(std::memory_order_relaxed);
      if (beyond == up) return up;
      parent(v).store(beyond, std::memory_order_relaxed);
      v = beyond;
    }
  }

  // Only roots are hooked, each below a lower vertex, so that no cycle arises. Relaxed order suffices, because the
  // parents are the only shared data.
  void join(vertex v, vertex w) {
    while (true) {
      v = halving_root(v);
      w = halving_root(w);
      if (v == w) return;
      if (v < w) std::swap(v, w);
      vertex expected = v;
      if (parent(v).compare_exchange_strong(expected, w, std::memory_order_relaxed)) return;
    }
  }

  /// Compares the labels with those of serial rounds, in which labels are pushed along each edge instead of pulled.
  void check_rounds() const {
    std::vector<vertex> now(edges.vertices());
    std::iota(now.begin(), now.end(), vertex{0});
    bool changed = true;
    for (unsigned t = 0; t != rounds && changed; ++t) {
      std::vector<vertex> next = now;
      for (vertex v = 0; v != edges.vertices(); ++v)
        for (const vertex w : edges.neighbours(v)) next[w] = std::min(next[w], now[v]);
      changed = next != now;
      now.swap(next);
    }
    const auto [at, wrong] = std::ranges::mismatch(before(rounds), now);
    if (at != before(rounds).end())
      throw check_failed("vertex " + std::to_string(at - before(rounds).begin()) + " has label " + std::to_string(*at) +
                         " after " + std::to_string(rounds) + " rounds, expected " + std::to_string(*wrong));
  }

  /// Returns the number of components, by a serial union-find with path halving.
  vertex count_components() const {
    std::vector<vertex> parent(edges.vertices());
    std::iota(parent.begin(), parent.end(), vertex{0});
    const auto find = [&parent](vertex v) {
      while (parent[v] != v) v = parent[v] = parent[parent[v]];
      return v;
    };
    vertex count = edges.vertices();
    for (vertex v = 0; v != edges.vertices(); ++v)
      for (const vertex w : edges.neighbours(v)) {
        const vertex a = find(v), b = find(w);
        count -= a != b;
        parent[a] = b;
      }
    return count;
  }
};

}  // namespace jackdaw::kernels
