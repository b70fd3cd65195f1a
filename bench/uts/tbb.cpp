#include "kernels/uts/uts.hpp"

#include <oneapi/tbb/task_group.h>

#include <vector>

#include "bench/tbb_sides.hpp"

namespace jackdaw::bench::tbb_sides {
namespace {

using kernels::uts_node;
using kernels::uts_tally;
using kernels::uts_tree;

uts_tally search(const uts_tree& tree, const uts_node& node) {
  const std::uint32_t children = tree.children(node);
  uts_tally sum{1, children == 0 ? 1u : 0u, node.depth};
  if (children == 0) return sum;
  std::vector<uts_tally> below(children);
  tbb::task_group group;
  for (std::uint32_t i = 0; i != children; ++i)
    group.run([&tree, &node, i, &result = below[i]] { result = search(tree, node.child(i)); });
  group.wait();
  for (const uts_tally& tally : below) sum = sum + tally;
  return sum;
}

class problem : public kernels::uts_problem {
 public:
  explicit problem(const kernels::request& wanted) : uts_problem(wanted), team_(wanted) {}
  void run() override {
    found = team_.run([this] { return search(tree, uts_node::root(tree.seed)); });
  }

 private:
  team team_;
};

}  // namespace

kernels::side uts() { return kernels::make_side<problem>("tbb"); }

}  // namespace jackdaw::bench::tbb_sides
