#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"
#include "kernels/uts/sha1.hpp"

namespace jackdaw::kernels {

/// How a node's children become tasks. `group`: one run per child. `invoke`: halves the children until one is left.
enum class uts_shape { group, invoke };

/// The tally of a tree, found or known.
struct uts_tally {
  std::uint64_t nodes = 0, leaves = 0;
  std::uint32_t depth = 0;

  friend bool operator==(const uts_tally&, const uts_tally&) = default;
  friend constexpr uts_tally operator+(const uts_tally& a, const uts_tally& b) {
    return {a.nodes + b.nodes, a.leaves + b.leaves, std::max(a.depth, b.depth)};
  }
};

/// A node: its depth and 20 bytes that determine its whole subtree.
struct uts_node {
  sha1_digest state;
  std::uint32_t depth;

  /// A number in [0, 1) that belongs to this node.
  double uniform() const {
    const std::uint32_t bits = std::uint32_t{state[16]} << 24 | std::uint32_t{state[17]} << 16 |
                               std::uint32_t{state[18]} << 8 | std::uint32_t{state[19]};
    return (bits & 0x7fffffff) / 2147483648.0;
  }

  uts_node child(std::uint32_t index) const { return {hash(state, index), depth + 1}; }

  static uts_node root(std::uint32_t seed) { return {hash(std::array<std::uint8_t, 16>{}, seed), 0}; }

 private:
  template <std::size_t Size>
  static sha1_digest hash(const std::array<std::uint8_t, Size>& prefix, std::uint32_t number) {
    std::array<std::uint8_t, Size + 4> message;
    std::ranges::copy(prefix, message.begin());
    for (unsigned i = 0; i != 4; ++i) message[Size + i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
    return sha1_short(message);
  }
};

/// The parameters of an Unbalanced Tree Search tree (Olivier et al., LCPC 2006), named as the UTS programs' options,
/// and the known tally of the tree.
struct uts_tree {
  enum class kind { geometric, binomial };  ///< options -t 1 -a 3 (fixed shape) and -t 0

  kind type;
  double b;             ///< -b: expected children of an inner node (geometric); children of the root (binomial)
  std::uint32_t depth;  ///< -d: the largest depth (geometric)
  double q;             ///< -q: probability of having children (binomial)
  std::uint32_t m;      ///< -m: children of a node that has any (binomial)
  std::uint32_t seed;   ///< -r
  uts_tally known;

  /// Returns how many children a node has.
  std::uint32_t children(const uts_node& node) const {
    if (type == kind::binomial) {
      if (node.depth == 0) return static_cast<std::uint32_t>(b);
      return node.uniform() < q ? m : 0;
    }
    if (node.depth >= depth) return 0;
    const double drawn = std::floor(std::log(1 - node.uniform()) / std::log(b / (1 + b)));
    return std::min(static_cast<std::uint32_t>(drawn), most_geometric);
  }

 private:
  static constexpr std::uint32_t most_geometric = 100;
};

inline constexpr auto uts_trees = std::to_array<choice<uts_tree>>({
    {"T1", {uts_tree::kind::geometric, 4, 10, 0, 0, 19, {4130071, 3305118, 10}}},
    {"tiny", {uts_tree::kind::geometric, 4, 4, 0, 0, 19, {944, 744, 4}}},
    {"tiny-binomial", {uts_tree::kind::binomial, 20, 0, 0.124, 8, 42, {6181, 5410, 67}}},
    {"T3", {uts_tree::kind::binomial, 2000, 0, 0.124875, 8, 42, {4112897, 3599034, 1572}}},
});
inline constexpr auto uts_shapes =
    std::to_array<choice<uts_shape>>({{"group", uts_shape::group}, {"invoke", uts_shape::invoke}});

/// Counts the nodes of a tree that exists only as a rule. A subtree's size is unknown until it is searched.
class uts_problem : public problem {
 public:
  explicit uts_problem(const request& wanted)
      : tree(choose(uts_trees, "uts", "size", wanted.size)), shape(choose(uts_shapes, "uts", "shape", wanted.shape)) {}

  void prepare() override { found = {}; }

  void check() override {
    if (found != tree.known)
      throw check_failed("the tree came out with " + describe(found) + ", expected " + describe(tree.known));
  }

  double items() const override { return static_cast<double>(tree.known.nodes); }
  std::string_view unit() const override { return "nodes"; }

 protected:
  const uts_tree tree;
  const uts_shape shape;
  uts_tally found;

 private:
  static std::string describe(const uts_tally& tally) {
    return std::to_string(tally.nodes) + " nodes, " + std::to_string(tally.leaves) + " leaves, depth " +
           std::to_string(tally.depth);
  }
};

}  // namespace jackdaw::kernels
