#include "measure/fastest.hpp"

#include <algorithm>

namespace jackdaw::measure {
namespace {

bool same_shape(const task_tree& a, const task_tree& b) {
  const auto same_op = [](const op& x, const op& y) {
    return x.what == y.what && x.help_first == y.help_first && x.first == y.first && x.count == y.count &&
           (x.what == op::kind::compute || x.amount == y.amount);
  };
  const auto same_task = [](const task& x, const task& y) { return x.first_op == y.first_op && x.ops == y.ops; };
  const auto same_group = [](const group& x, const group& y) {
    return x.total == y.total && x.structured == y.structured;
  };
  return std::ranges::equal(a.ops, b.ops, same_op) && std::ranges::equal(a.tasks, b.tasks, same_task) &&
         std::ranges::equal(a.groups, b.groups, same_group) && a.roots.size() == b.roots.size();
}

}  // namespace

bool keep_fastest(task_tree& tree, const task_tree& other) {
  if (!same_shape(tree, other)) return false;
  for (std::size_t i = 0; i < tree.ops.size(); ++i) {
    if (tree.ops[i].what == op::kind::compute) tree.ops[i].amount = std::min(tree.ops[i].amount, other.ops[i].amount);
  }
  return true;
}

}  // namespace jackdaw::measure
