#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/common/buffer.hpp"
#include "kernels/sph/sph_water.hpp"

namespace jackdaw::kernels {

/// Where a particle is in an array, or which one it is at the beginning. There are fewer than 2^31.
using sph_index = std::uint32_t;

/// A particle's cell in the finest grid, its digits interleaved (Morton order), and its number.
struct sph_key {
  std::uint64_t cell;
  sph_index particle;

  auto operator<=>(const sph_key&) const = default;
};

/// Returns the cell of a place; cells outside the tank count as those at its wall.
template <std::size_t D>
std::uint64_t sph_cell(const sph_vector<D>& x) {
  constexpr unsigned bits = 64 / D;
  constexpr auto most = (std::uint64_t{1} << bits) - 1;
  constexpr double edge = 4;  // the tank's longest side
  std::uint64_t cell = 0;
  for (std::size_t k = 0; k != D; ++k) {
    const double scaled = (x[k] - sph_tank<D>().low[k]) / edge * static_cast<double>(most);
    // Not a number is cell 0.
    const auto at = scaled > 0 ? static_cast<std::uint64_t>(std::min(scaled, static_cast<double>(most))) : 0;
    for (unsigned bit = 0; bit != bits; ++bit) cell |= (at >> bit & 1) << (bit * D + k);
  }
  return cell;
}

/// A quadtree or octree over particles that are sorted by their cells.
///
/// An inner node is the smallest cell of any level that holds its particles, so that a node has at least two children
/// and the depth is at most 64 / D, wherever particles lie. Particles of one finest cell are one leaf, however many
/// they are. The tree depends on the sorted cells alone. Only where nodes are stored depends on which worker was
/// first: children get the next free places.
template <std::size_t D>
class sph_tree {
 public:
  /// Most particles of a leaf, unless they share the finest cell.
  static constexpr sph_index leaf_size = 16;

  struct node {
    sph_index first, last;  ///< its particles, in sorted order
    sph_index children;     ///< its first child
    std::uint32_t count;    ///< of children; 0: a leaf
    sph_box<D> box;         ///< encloses its particles

    sph_index size() const { return last - first; }
  };

  /// A tree of no more than that many particles.
  explicit sph_tree(std::size_t particles) : nodes_(2 * particles + 1) {}

  /// Begins a new tree with a root over `particles` particles. grow() and enclose() make the rest.
  void plant(sph_index particles) {
    used_.store(1, std::memory_order_relaxed);
    nodes_[0] = {0, particles, 0, 0, {}};
  }

  const node& root() const { return nodes_[0]; }
  node& root() { return nodes_[0]; }
  std::span<const node> children(const node& of) const { return {nodes_.data() + of.children, of.count}; }
  std::span<node> children(const node& of) { return {nodes_.data() + of.children, of.count}; }

  /// Gives a node its children, if it is no leaf. Several workers may do so for different nodes.
  void grow(node& of, std::span<const sph_key> keys) {
    of.count = 0;
    if (of.size() <= leaf_size) return;
    const std::uint64_t differ = keys[of.first].cell ^ keys[of.last - 1].cell;
    if (differ == 0) return;
    const unsigned shift = static_cast<unsigned>(std::bit_width(differ) - 1) / D * D;
    const auto digit = [shift](const sph_key& k) { return k.cell >> shift & ((1U << D) - 1); };

    std::array<sph_index, (1U << D) + 1> bounds;
    for (sph_index at = of.first; at != of.last; ++of.count) {
      bounds[of.count] = at;
      const auto rest = keys.subspan(at, of.last - at);
      at += static_cast<sph_index>(std::ranges::upper_bound(rest, digit(rest.front()), {}, digit) - rest.begin());
    }
    bounds[of.count] = of.last;
    // The order does not matter: nothing is read before the worker that grew the tree joins.
    of.children = used_.fetch_add(of.count, std::memory_order_relaxed);
    for (std::uint32_t i = 0; i != of.count; ++i) nodes_[of.children + i] = {bounds[i], bounds[i + 1], 0, 0, {}};
  }

  /// Computes the box of a leaf from its particles' places, and of another node from its children's.
  void enclose(node& of, const sph_vector<D>* places) {
    if (of.size() == 0) return;
    if (of.count == 0) {
      of.box = {places[of.first], places[of.first]};
      for (sph_index i = of.first + 1; i != of.last; ++i) of.box.include({places[i], places[i]});
    } else {
      of.box = children(of).front().box;
      for (const node& child : children(of).subspan(1)) of.box.include(child.box);
    }
  }

  /// Calls on_leaf(leaf), in ascending order, for leaves that hold every particle nearer than `distance` to the box.
  /// After the last one of adjacent leaves it calls on_run(first, last) with the particles of all of them.
  template <class Leaf, class Run>
  void near(const sph_box<D>& box, double distance, const Leaf& on_leaf, const Run& on_run) const {
    sph_index first = 0, last = 0;
    collect(root(), box, distance, [&](const node& leaf) {
      if (leaf.first != last) {
        if (first != last) on_run(first, last);
        first = leaf.first;
      }
      last = leaf.last;
      on_leaf(leaf);
    });
    if (first != last) on_run(first, last);
  }

 private:
  buffer<node> nodes_;
  std::atomic<sph_index> used_{0};

  template <class F>
  void collect(const node& at, const sph_box<D>& box, double distance, const F& f) const {
    if (at.size() == 0 || !at.box.within(distance, box)) return;
    if (at.count == 0) return f(at);
    for (const node& child : children(at)) collect(child, box, distance, f);
  }
};

}  // namespace jackdaw::kernels
