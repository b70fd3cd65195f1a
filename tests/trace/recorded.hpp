#pragma once

#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "runtime/runtime_access.hpp"
#include "trace/recorder.hpp"
#include "trace/task_tree.hpp"
#include "trace/tree_builder.hpp"

namespace jackdaw::test {

/// The tree of f() in a recorded runtime that reports `workers` workers; validated.
template <class F>
trace::task_tree recorded(F&& f, unsigned workers = 4) {
  trace::recorder recorder("test", workers);
  runtime rt = detail::runtime_access::recording({.workers = workers}, recorder);
  rt.run(std::forward<F>(f));
  trace::task_tree tree = recorder.take();
  trace::validate(tree);
  return tree;
}

/// The steps of a task without its own work.
inline std::vector<trace::op> forks_and_waits(const trace::task_tree& tree, std::uint32_t task) {
  std::vector<trace::op> steps;
  for (std::uint64_t i = tree.tasks[task].first_op; i != tree.tasks[task].first_op + tree.tasks[task].ops; ++i) {
    if (tree.ops[i].what != trace::op::kind::compute) steps.push_back(tree.ops[i]);
  }
  return steps;
}

/// A fork or a wait as a test writes it down.
inline trace::op fork_of(std::uint32_t child, std::uint32_t group, double hint, bool help_first = false) {
  return {.what = trace::op::kind::fork, .help_first = help_first, .first = child, .count = group, .amount = hint};
}
inline trace::op wait_for(std::uint32_t group) { return {.what = trace::op::kind::wait, .count = group}; }

using steps = std::vector<trace::op>;

}  // namespace jackdaw::test
