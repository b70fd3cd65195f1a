#include "analysis/short_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/program.hpp"

namespace jackdaw::analysis {
namespace {

using sim::test::body;
using sim::test::compute;
using sim::test::invoke;
using sim::test::record;
using trace::op;
using trace::task_tree;

/// Steps of 100, 300, 1000 and 700 ns, and one fork.
task_tree a_fork() {
  return record(body{compute(100), invoke({{.does = {compute(300)}}, {.does = {compute(1000)}}}), compute(700)});
}

std::vector<double> steps_of(const task_tree& tree) {
  std::vector<double> amounts;
  for (const op& each : tree.ops)
    if (each.what == op::kind::compute) amounts.push_back(each.amount);
  std::ranges::sort(amounts);
  return amounts;
}

TEST(fit_short_steps, steps_and_forks_take_as_long_as_the_run) {
  task_tree tree = a_fork();
  fit_short_steps(tree, tree.roots[0], 1000 + 2200 + 3, 3);
  EXPECT_EQ(steps_of(tree), (std::vector<double>{200, 600, 1000, 1400}));
}

TEST(fit_short_steps, a_run_of_forks_alone_leaves_short_steps_no_time) {
  task_tree tree = a_fork();
  fit_short_steps(tree, tree.roots[0], 900, 3);
  EXPECT_EQ(steps_of(tree), (std::vector<double>{0, 0, 0, 1000}));
}

TEST(fit_short_steps, other_roots_stay_as_they_are) {
  task_tree tree = a_fork();
  const auto begin = static_cast<std::uint32_t>(tree.ops.size());
  tree.ops.push_back({.what = op::kind::compute, .amount = 40});
  tree.roots.push_back({static_cast<std::uint32_t>(tree.tasks.size()), "run"});
  tree.tasks.push_back({begin, 1});
  fit_short_steps(tree, tree.roots[1], 50, 3);
  EXPECT_EQ(steps_of(tree), (std::vector<double>{50, 100, 300, 700, 1000}));
}

TEST(has_short_steps, most_of_the_work_is_below_a_microsecond) {
  const auto told = [](const body& of) {
    const task_tree tree = record(of);
    return has_short_steps(tree, tree.roots[0]);
  };
  EXPECT_TRUE(told({compute(999)}));
  EXPECT_FALSE(told({compute(1000)}));
  EXPECT_TRUE(told({compute(700), invoke({{.does = {compute(500)}}, {.does = {compute(1100)}}})}));
  EXPECT_FALSE(told({compute(700), invoke({{.does = {compute(500)}}, {.does = {compute(1300)}}})}));
  EXPECT_FALSE(told({}));
}

}  // namespace
}  // namespace jackdaw::analysis
