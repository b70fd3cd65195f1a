#include "analysis/fastest.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "analysis/equalise_times.hpp"
#include "trace/tree_builder.hpp"

namespace jackdaw::analysis {
namespace {

using trace::group;
using trace::op;
using trace::task_tree;
using trace::tree_builder;

/// A step, two children, a step.
task_tree recording(double a, double b, double c, double d, double hint = 1, bool structured = true) {
  task_tree head;
  head.sites = {"here"};
  tree_builder builder(head);
  builder.begin_root("run");
  builder.touch({.address = 4096, .length = 64});
  builder.compute(a);
  const std::uint32_t group = builder.open_group(2, structured, 0);
  for (const double each : {b, c}) {
    builder.fork(group, hint, false);
    builder.compute(each);
    builder.end_task();
  }
  builder.wait(group);
  builder.compute(d);
  builder.end_root();
  return builder.finish();
}

TEST(keep_fastest, takes_each_step_from_its_fastest_recording) {
  task_tree tree = recording(10, 50, 30, 7);
  EXPECT_TRUE(keep_fastest(tree, recording(20, 40, 30, 5)));
  EXPECT_EQ(tree, recording(10, 40, 30, 5));
  EXPECT_TRUE(keep_fastest(tree, recording(1, 100, 0, 100)));
  EXPECT_EQ(tree, recording(1, 40, 0, 5));
  const task_tree before = tree;
  EXPECT_TRUE(keep_fastest(tree, tree));
  EXPECT_EQ(tree, before);
}

TEST(keep_fastest, takes_the_speed_of_the_fastest_recording) {
  task_tree tree = recording(10, 50, 30, 7);
  for (const auto& [other, wanted] : {std::pair(1.25, 1.25), std::pair(0.5, 1.25)}) {
    task_tree next = tree;
    next.compute_rate = other;
    EXPECT_TRUE(keep_fastest(tree, next));
    EXPECT_EQ(tree.compute_rate, wanted);
  }
}

TEST(keep_fastest, keeps_its_own_accesses_when_addresses_differ) {
  task_tree tree = recording(10, 50, 30, 7);
  task_tree other = recording(5, 50, 30, 7);
  other.accesses[0].address = 1 << 20;
  EXPECT_TRUE(keep_fastest(tree, other));
  EXPECT_EQ(tree, recording(5, 50, 30, 7));
}

TEST(keep_fastest, refuses_other_shapes_and_leaves_the_tree_alone) {
  const task_tree before = recording(10, 50, 30, 7);
  const auto refuses = [&](task_tree other) {
    task_tree tree = before;
    return !keep_fastest(tree, other) && tree == before;
  };
  EXPECT_TRUE(refuses({}));
  EXPECT_TRUE(refuses(recording(1, 1, 1, 1, 2))) << "another hint";
  EXPECT_TRUE(refuses(recording(1, 1, 1, 1, 1, false))) << "another kind of group";
  task_tree help = recording(1, 1, 1, 1);
  for (op& each : help.ops) each.help_first = each.what == op::kind::fork;
  EXPECT_TRUE(refuses(help));
  task_tree fewer = recording(1, 1, 1, 1);
  for (op& each : fewer.ops) each.count = each.what == op::kind::compute ? 0 : each.count;
  EXPECT_TRUE(refuses(fewer)) << "a step with fewer accesses";
  task_tree roots = recording(1, 1, 1, 1);
  roots.roots.push_back(roots.roots[0]);
  EXPECT_TRUE(refuses(roots));
}

/// A root that works, forks a child that touches memory, and waits. 0 ns of the root's work leave no step.
task_tree with_gaps(double before, double child, double after) {
  tree_builder builder(task_tree{});
  builder.begin_root("run");
  if (before > 0) builder.compute(before);
  const std::uint32_t group = builder.open_group(3, true, 0);
  builder.fork(group, 2, false);
  builder.touch({.address = 4096, .length = 64});
  builder.compute(child);
  builder.end_task();
  if (after > 0) builder.compute(after);
  builder.wait(group);
  builder.end_root();
  return builder.finish();
}

TEST(keep_fastest, treats_work_without_a_step_as_0_ns) {
  task_tree tree = with_gaps(10, 200, 30);
  EXPECT_TRUE(keep_fastest(tree, with_gaps(0, 150, 30)));
  ASSERT_EQ(tree.ops.size(), 5U);
  EXPECT_EQ(tree.ops[tree.tasks[0].first_op].amount, 0);
  tree = with_gaps(0, 200, 0);
  EXPECT_TRUE(keep_fastest(tree, with_gaps(5, 150, 5)));
  EXPECT_EQ(tree, with_gaps(0, 150, 0));
}

/// A root with `times.size()` children, each with one leaf of `length` bytes.
task_tree leaves(const std::vector<double>& times, std::uint64_t length) {
  tree_builder builder(task_tree{});
  builder.begin_root("run");
  const std::uint32_t group = builder.open_group(-1, true, 0);
  for (std::size_t i = 0; i < times.size(); ++i) {
    builder.fork(group, -1, false);
    builder.touch({.address = 4096 * (i + 1), .length = i % 2 == 0 ? length : 2 * length});
    builder.compute(times[i]);
    builder.end_task();
  }
  builder.wait(group);
  builder.end_root();
  return builder.finish();
}

TEST(equalise_times, gives_steps_of_one_shape_their_tenth_percentile) {
  std::vector<double> times;
  for (int i = 0; i < 40; ++i) times.push_back(i % 2 == 0 ? 100 + i : 1000 + i);
  task_tree tree = leaves(times, 64);
  equalise_times(tree);
  std::vector<double> expected;
  for (int i = 0; i < 40; ++i) expected.push_back(i % 2 == 0 ? 104 : 1005);
  EXPECT_EQ(tree, leaves(expected, 64));
}

TEST(set_times, tells_leaves_from_other_steps) {
  task_tree tree = with_gaps(10, 200, 30);
  tree.compute_rate = 0.5;
  tree.vector_rate = 2;
  tree.instructions = 3;  // of this computer
  set_times(tree, 900, 5);
  EXPECT_EQ(tree, with_gaps(5, 900, 5));
}

}  // namespace
}  // namespace jackdaw::analysis
