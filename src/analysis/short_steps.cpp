#include "analysis/short_steps.hpp"

#include <algorithm>
#include <vector>

namespace jackdaw::analysis {
namespace {

constexpr double short_below = 1000;  // ns

bool is_short(const trace::op& step) { return step.what == trace::op::kind::compute && step.amount < short_below; }

/// Calls f(step) for all steps of the root's tasks.
template <class Tree, class F>
void each_step(Tree& tree, const trace::root& root, F f) {
  std::vector<std::uint32_t> open{root.task};
  while (!open.empty()) {
    const trace::task of = tree.tasks[open.back()];
    open.pop_back();
    for (std::uint64_t i = of.first_op; i < of.first_op + of.ops; ++i) {
      if (tree.ops[i].what == trace::op::kind::fork) open.push_back(tree.ops[i].first);
      f(tree.ops[i]);
    }
  }
}

struct work_split {
  double in_short = 0, in_long = 0;  // ns
  double forks = 0;
};

work_split split_of(const trace::task_tree& tree, const trace::root& root) {
  work_split found;
  each_step(tree, root, [&](const trace::op& step) {
    if (step.what == trace::op::kind::fork) ++found.forks;
    // The first branch of an invoke runs at once.
    if (step.what == trace::op::kind::wait && tree.groups[step.count].structured) --found.forks;
    if (step.what == trace::op::kind::compute) (is_short(step) ? found.in_short : found.in_long) += step.amount;
  });
  return found;
}

}  // namespace

bool has_short_steps(const trace::task_tree& tree, const trace::root& root) {
  const work_split found = split_of(tree, root);
  return found.in_short > found.in_long;
}

void fit_short_steps(trace::task_tree& tree, const trace::root& root, double run, double fork) {
  const work_split found = split_of(tree, root);
  const double factor = std::max(0.0, run - found.in_long - fork * found.forks) / found.in_short;
  each_step(tree, root, [&](trace::op& step) {
    if (is_short(step)) step.amount *= factor;
  });
}

}  // namespace jackdaw::analysis
