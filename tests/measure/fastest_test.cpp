#include "measure/fastest.hpp"

#include <gtest/gtest.h>

#include "measure/tree_builder.hpp"

namespace jackdaw::measure {
namespace {

/// A root that works, forks a child that touches memory, and waits. 0 ns of the root's work leave no step.
task_tree recording(double before, double child, double after, double hint = 2) {
  tree_builder builder(task_tree{});
  builder.begin_root("run");
  if (before > 0) builder.compute(before);
  const std::uint32_t group = builder.open_group(3, true, 0);
  builder.fork(group, hint, false);
  builder.touch({.address = 4096, .length = 64});
  builder.compute(child);
  builder.end_task();
  if (after > 0) builder.compute(after);
  builder.wait(group);
  builder.end_root();
  return builder.finish();
}

TEST(fastest, keeps_the_least_time_of_each_step) {
  task_tree tree = recording(10, 200, 30);
  EXPECT_TRUE(keep_fastest(tree, recording(20, 100, 30)));
  EXPECT_TRUE(keep_fastest(tree, recording(15, 300, 7)));
  EXPECT_EQ(tree, recording(10, 100, 7));
}

TEST(fastest, work_that_took_no_time_leaves_no_step) {
  task_tree tree = recording(10, 200, 30);
  EXPECT_TRUE(keep_fastest(tree, recording(0, 150, 30)));
  ASSERT_EQ(tree.ops.size(), 5U);
  EXPECT_EQ(tree.ops[tree.tasks[0].first_op].amount, 0);
  tree = recording(0, 200, 0);
  EXPECT_TRUE(keep_fastest(tree, recording(5, 150, 5)));
  EXPECT_EQ(tree, recording(0, 150, 0));
}

TEST(fastest, refuses_another_program) {
  task_tree tree = recording(10, 200, 30);
  EXPECT_FALSE(keep_fastest(tree, recording(1, 1, 1, 1)));
  EXPECT_FALSE(keep_fastest(tree, task_tree{}));
  EXPECT_EQ(tree, recording(10, 200, 30));
}

}  // namespace
}  // namespace jackdaw::measure
