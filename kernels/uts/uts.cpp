#include "kernels/uts/uts.hpp"

#include <vector>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

constexpr uts_tally itself(const uts_node& node, bool leaf) { return {1, leaf ? 1u : 0u, node.depth}; }

uts_tally serial(const uts_tree& tree, const uts_node& node) {
  const std::uint32_t children = tree.children(node);
  uts_tally sum = itself(node, children == 0);
  for (std::uint32_t i = 0; i != children; ++i) sum = sum + serial(tree, node.child(i));
  return sum;
}

uts_tally with_group(const uts_tree& tree, const uts_node& node) {
  const std::uint32_t children = tree.children(node);
  uts_tally sum = itself(node, children == 0);
  if (children == 0) return sum;
  std::vector<uts_tally> below(children);
  jackdaw::task_group group;
  for (std::uint32_t i = 0; i != children; ++i)
    group.run([&tree, &node, i, &result = below[i]] { result = with_group(tree, node.child(i)); });
  group.wait();
  for (const uts_tally& tally : below) sum = sum + tally;
  return sum;
}

uts_tally in_children(const uts_tree& tree, const uts_node& node, std::uint32_t first, std::uint32_t last);

/// invoke stays on its caller's stack, and the binomial trees are too deep for one stack. So every `levels_per_stack`
/// levels of the tree a group's run switches to another stack.
constexpr std::uint32_t levels_per_stack = 16;

uts_tally with_invoke(const uts_tree& tree, const uts_node& node) {
  const std::uint32_t children = tree.children(node);
  if (children == 0) return itself(node, true);
  uts_tally below;
  if ((node.depth + 1) % levels_per_stack != 0) {
    below = in_children(tree, node, 0, children);
  } else {
    jackdaw::task_group group;
    group.run([&] { below = in_children(tree, node, 0, children); });
    group.wait();
  }
  return itself(node, false) + below;
}

/// Returns the tally of the subtrees of children first..last-1.
uts_tally in_children(const uts_tree& tree, const uts_node& node, std::uint32_t first, std::uint32_t last) {
  if (last - first == 1) return with_invoke(tree, node.child(first));
  const std::uint32_t middle = first + (last - first) / 2;
  const auto [a, b] = jackdaw::invoke([&, first, middle] { return in_children(tree, node, first, middle); },
                                      [&, middle, last] { return in_children(tree, node, middle, last); });
  return a + b;
}

class jackdaw_uts : public uts_problem {
 public:
  using uts_problem::uts_problem;
  void run() override {
    const uts_node root = uts_node::root(tree.seed);
    found = shape == uts_shape::group ? with_group(tree, root) : with_invoke(tree, root);
  }
};

class serial_uts : public uts_problem {
 public:
  using uts_problem::uts_problem;
  void run() override { found = serial(tree, uts_node::root(tree.seed)); }
};

}  // namespace

kernel uts() {
  return {.name = "uts",
          .summary = "Unbalanced Tree Search: subtrees of unpredictable size",
          .sizes = names(uts_trees),
          .shapes = names(uts_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_uts>("jackdaw"), make_side<serial_uts>("serial")}};
}

}  // namespace jackdaw::kernels
