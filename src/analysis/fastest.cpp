#include "analysis/fastest.hpp"

#include <algorithm>

namespace jackdaw::analysis {

using trace::group;
using trace::op;
using trace::task_tree;

namespace {

bool is_bare(const op& step) { return step.what == op::kind::compute && step.count == 0; }

bool same_step(const op& a, const op& b) {
  return a.what == b.what && a.help_first == b.help_first && a.first == b.first && a.count == b.count &&
         (a.what == op::kind::compute || a.amount == b.amount);
}

/// Calls f(step of `a`, its time in `b`) for all steps of `a` itself. Work that took no time and touches nothing leaves
/// no step in a recording; if only one of the two has such a step, the other's took 0. False if the recordings differ
/// in more than that.
template <class Tree, class F>
bool side_by_side(Tree& a, const task_tree& b, F&& f) {
  for (std::size_t task = 0; task < a.tasks.size(); ++task) {
    std::uint64_t i = a.tasks[task].first_op, j = b.tasks[task].first_op;
    const std::uint64_t i_end = i + a.tasks[task].ops, j_end = j + b.tasks[task].ops;
    while (i < i_end || j < j_end) {
      if (i < i_end && j < j_end && same_step(a.ops[i], b.ops[j])) {
        if (a.ops[i].what == op::kind::compute) f(a.ops[i], b.ops[j].amount);
        ++i;
        ++j;
      } else if (i < i_end && is_bare(a.ops[i])) {
        f(a.ops[i++], 0.0);
      } else if (j < j_end && is_bare(b.ops[j])) {
        ++j;
      } else {
        return false;
      }
    }
  }
  return true;
}

bool same_shape(const task_tree& a, const task_tree& b) {
  const auto same_group = [](const group& x, const group& y) {
    return x.total == y.total && x.structured == y.structured;
  };
  return a.tasks.size() == b.tasks.size() && a.roots.size() == b.roots.size() &&
         std::ranges::equal(a.groups, b.groups, same_group) && side_by_side(a, b, [](const op&, double) {});
}

}  // namespace

bool keep_fastest(task_tree& tree, const task_tree& other) {
  if (!same_shape(tree, other)) return false;
  side_by_side(tree, other, [](op& step, double time) { step.amount = std::min(step.amount, time); });
  tree.compute_rate = std::max(tree.compute_rate, other.compute_rate);
  tree.vector_rate = std::max(tree.vector_rate, other.vector_rate);
  return true;
}

}  // namespace jackdaw::analysis
