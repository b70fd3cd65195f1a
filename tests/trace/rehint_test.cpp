#include "trace/rehint.hpp"

#include <gtest/gtest.h>

#include <jackdaw/error.hpp>
#include <vector>

#include "trace/tree_builder.hpp"

namespace jackdaw::trace {
namespace new_hints {
namespace {

/// A task that takes `ns` itself.
void child(tree_builder& into, std::uint32_t group, double hint, double ns) {
  into.fork(group, hint, false);
  into.compute(ns);
  into.end_task();
}

/// An invoke of two branches, the second of which forks two children of 20 and 70 ns into a group.
task_tree hinted() {
  task_tree head;
  head.sites = {"test"};
  tree_builder builder(head);
  builder.begin_root("run");
  const std::uint32_t outer = builder.open_group(5, true, 0);
  child(builder, outer, 4, 10);
  builder.fork(outer, 1, false);
  const std::uint32_t inner = builder.open_group(2, false, 0);
  child(builder, inner, 1, 20);
  child(builder, inner, 1, 70);
  builder.wait(inner);
  builder.end_task();
  builder.wait(outer);
  builder.end_root();
  return builder.finish();
}

/// The hints of the invoke's two branches and of the group's two children, by the work that they begin with.
std::vector<double> hints(const task_tree& tree) {
  std::vector<double> found(4);
  for (const op& each : tree.ops) {
    if (each.what != op::kind::fork) continue;
    const op& first = tree.ops[tree.tasks[each.first].first_op];
    const double ns = first.what == op::kind::compute ? first.amount : 0;
    found[ns == 10 ? 0 : ns == 0 ? 1 : ns == 20 ? 2 : 3] = each.amount;
  }
  return found;
}

task_tree changed(const char* how) {
  task_tree tree = hinted();
  rehint(tree, how);
  validate(tree);
  return tree;
}

TEST(rehint, none_leaves_an_invoke_with_even_branches) {
  const task_tree tree = changed("none");
  EXPECT_EQ(hints(tree), (std::vector<double>{1, 1, -1, -1}));
  for (const group& each : tree.groups) EXPECT_EQ(each.total, each.structured ? 2 : -1);
}

TEST(rehint, exact_is_the_work_of_a_child_with_all_that_it_forks) {
  const task_tree tree = changed("exact");
  EXPECT_EQ(hints(tree), (std::vector<double>{10, 90, 20, 70}));
  for (const group& each : tree.groups) EXPECT_EQ(each.total, each.structured ? 100 : 90);
}

TEST(rehint, fixed_makes_the_first_child_too_small_and_the_last_too_large) {
  EXPECT_EQ(hints(changed("fixed:0.5")), (std::vector<double>{5, 135, 10, 105}));
  EXPECT_EQ(hints(changed("fixed:0")), hints(changed("exact")));
}

TEST(rehint, random_is_off_by_no_more_than_it_says_and_the_same_each_time) {
  const std::vector<double> exact{10, 90, 20, 70}, wrong = hints(changed("random:0.3"));
  EXPECT_NE(wrong, exact);
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(wrong[i], exact[i], 0.3 * exact[i]);
  EXPECT_EQ(wrong, hints(changed("random:0.3")));
}

TEST(rehint, tells_in_the_programs_name) { EXPECT_EQ(changed("exact").program, hinted().program + " --rehint exact"); }

TEST(rehint, refuses_anything_else) {
  for (const char* const wrong :
       {"", "foo", "none:1", "fixed", "fixed:", "random:x", "random:-1", "random:1.1", "random:nan", "fixed:0.5x"})
    EXPECT_THROW(check_rehint(wrong), error) << wrong;
}

}  // namespace
}  // namespace new_hints
}  // namespace jackdaw::trace
