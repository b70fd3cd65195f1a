#pragma once

#include <cmath>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "jackdaw/access.hpp"
#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/control_word.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/runtime.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// How many leaves an automatic grain aims at (a halved range has up to twice as many).
inline std::size_t leaves_by_workers() { return std::size_t{8} * concurrency(); }
inline constexpr std::size_t leaves_by_size = 256;

/// The largest leaf of `count` elements: what the user said, or the share of one of `leaves` leaves.
constexpr std::size_t leaf_size(std::size_t count, std::size_t asked, std::size_t leaves) {
  if (asked != 0) return asked;
  return count / leaves + (count % leaves != 0);
}

/// A loop's index range [0, count) as a binary tree: which ranges are leaves, and where the others are halved.
/// Without weights the tree depends on count and leaf alone.
template <class Weigh>
class loop_tree {
 public:
  struct node {
    std::size_t first;
    std::size_t last;
    double weight;
    unsigned depth;
    std::size_t size() const { return last - first; }
  };

  /// `leaf` >= 1: the most elements of a leaf.
  loop_tree(std::size_t count, std::size_t leaf, Weigh& weigh)
      : weigh_(&weigh), leaf_(leaf), root_{0, count, weight(0, count), 0} {}

  /// Makes a leaf of what weighs at most one of `shares` equal shares of the whole, however many elements that is.
  void balance(std::size_t shares) {
    if (!(root_.weight > 0)) return;
    leaf_ = 1;
    light_ = root_.weight / static_cast<double>(shares);
  }

  const node& root() const { return root_; }

  const control_word& control() const { return control_; }

  bool is_leaf(const node& n) const { return n.size() <= 1 || n.size() <= leaf_ || n.weight <= light_; }

  /// The index where a range of two or more elements is halved, strictly inside it.
  std::size_t middle(const node& n) const {
    // Weights may be so skewed (or so wrong) that each halving cuts off one element: never more than this many times.
    if (n.depth >= most_uneven_splits || !(n.weight > 0)) return n.first + n.size() / 2;
    const double half = n.weight / 2;
    std::size_t low = n.first, high = n.last;  // weight(first, low) < half, or low is first; high: not below, or last
    double below = 0, above = n.weight;
    while (high - low > 1) {
      const std::size_t probe = low + (high - low) / 2;
      const double w = weight(n.first, probe);
      if (w < half) {
        low = probe;
        below = w;
      } else {
        high = probe;
        above = w;
      }
    }
    if (low == n.first) return high == n.last ? low + 1 : high;
    return high == n.last || half - below <= above - half ? low : high;
  }

  std::pair<node, node> halve(const node& n) const {
    const std::size_t m = middle(n);
    return {{n.first, m, weight(n.first, m), n.depth + 1}, {m, n.last, weight(m, n.last), n.depth + 1}};
  }

 private:
  static constexpr unsigned most_uneven_splits = 128;

  double weight(std::size_t first, std::size_t last) const {
    const double w = (*weigh_)(first, last);
    return w >= 0 && std::isfinite(w) ? w : 0;
  }

  Weigh* weigh_;
  std::size_t leaf_;
  double light_ = -1;
  node root_;
  control_word control_;  // of the task whose loop it is
};

template <>
class loop_tree<no_weight> {
 public:
  struct node {
    std::size_t first;
    std::size_t last;
    std::size_t size() const { return last - first; }
  };

  loop_tree(std::size_t count, std::size_t leaf, no_weight&) : leaf_(leaf), root_{0, count} {}

  const node& root() const { return root_; }
  const control_word& control() const { return control_; }
  std::size_t largest_leaf() const { return leaf_; }
  bool is_leaf(const node& n) const { return n.size() <= leaf_; }
  std::pair<node, node> halve(const node& n) const {
    const std::size_t m = n.first + n.size() / 2;
    return {{n.first, m}, {m, n.last}};
  }

 private:
  std::size_t leaf_;
  node root_;
  control_word control_;  // of the task whose loop it is
};

/// Declares a part of what a user's iterators refer to, where it is memory.
template <class It>
void declare_reads(It first, It last) {
  if constexpr (std::contiguous_iterator<It>)
    if (first != last) jackdaw::reads(std::to_address(first), static_cast<std::size_t>(last - first));
}
template <class It>
void declare_writes(It first, It last) {
  if constexpr (std::contiguous_iterator<It>)
    if (first != last) jackdaw::writes(std::to_address(first), static_cast<std::size_t>(last - first));
}

/// Elements `from` to `to` of a user's range.
template <class It>
void declare_reads(It range, std::size_t from, std::size_t to) {
  using difference = std::iter_difference_t<It>;
  declare_reads(range + static_cast<difference>(from), range + static_cast<difference>(to));
}

/// The same for what is handed to a user's function: as read, and as written too if it may be.
template <class It>
void declare_uses(It first, It last) {
  declare_reads(first, last);
  if constexpr (!std::is_const_v<std::remove_reference_t<std::iter_reference_t<It>>>) declare_writes(first, last);
}

/// The second half of a node, as a branch; a thief runs it under the control word of the loop's task.
template <class Weigh, class Node, class OnNode>
struct second_half {
  const loop_tree<Weigh>& tree;
  const Node& half;
  OnNode& on_node;
  decltype(auto) operator()() const { return on_node(half); }
  const control_word& control() const { return tree.control(); }
};

/// Forks `on_node(half)` for both halves of a node, with their weights where there are any; what invoke returns.
template <class Weigh, class Node, class OnNode>
decltype(auto) fork_halves(const loop_tree<Weigh>& tree, const std::pair<Node, Node>& halves, OnNode&& on_node) {
  auto left = [&] { return on_node(halves.first); };
  const second_half<Weigh, Node, std::remove_reference_t<OnNode>> right{tree, halves.second, on_node};
  if constexpr (std::is_same_v<Weigh, no_weight>)
    return jackdaw::invoke(left, right);
  else
    return jackdaw::invoke(jackdaw::work(halves.first.weight, left), jackdaw::work(halves.second.weight, right));
}

/// Calls `leaf(first, last)` for each leaf of the tree; on one worker in the order of the indices.
template <class Weigh, class Leaf>
void for_leaves(const loop_tree<Weigh>& tree, const typename loop_tree<Weigh>::node& n, Leaf& leaf) {
  if (tree.is_leaf(n)) {
    look_up_if_asked();
    leaf(n.first, n.last);
  } else {
    fork_halves(tree, tree.halve(n), [&](const auto& half) { for_leaves(tree, half, leaf); });
  }
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
