#include "measure/fastest.hpp"

#include <gtest/gtest.h>

#include "measure/tree_builder.hpp"

namespace jackdaw::measure {
namespace {

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

TEST(keep_fastest, takes_each_step_from_where_it_took_least) {
  task_tree tree = recording(10, 50, 30, 7);
  EXPECT_TRUE(keep_fastest(tree, recording(20, 40, 30, 5)));
  EXPECT_EQ(tree, recording(10, 40, 30, 5));
  EXPECT_TRUE(keep_fastest(tree, recording(1, 100, 0, 100)));
  EXPECT_EQ(tree, recording(1, 40, 0, 5));
  const task_tree before = tree;
  EXPECT_TRUE(keep_fastest(tree, tree));
  EXPECT_EQ(tree, before);
}

TEST(keep_fastest, keeps_its_own_accesses_where_data_lay_elsewhere) {
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

}  // namespace
}  // namespace jackdaw::measure
