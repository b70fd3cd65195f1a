#include "trace/tree_builder.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "jackdaw/error.hpp"
#include "trace/tree_summary.hpp"

namespace jackdaw::trace {
namespace {

std::string what(const std::function<void()>& f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

/// A root that computes 10 ns, forks children of 5 and 7 ns into one group, computes 1 ns beside them, and waits.
task_tree small_tree() {
  tree_builder builder;
  builder.begin_root("root");
  builder.touch({.address = 64, .length = 8});
  builder.compute(10);
  const std::uint32_t group = builder.open_group(-1, false, 0);
  for (const double ns : {5.0, 7.0}) {
    builder.fork(group, 1, false);
    builder.compute(ns);
    builder.end_task();
  }
  builder.compute(1);
  builder.wait(group);
  builder.end_root();
  return builder.finish();
}

TEST(tree_builder, a_tasks_steps_lie_together) {
  const task_tree tree = small_tree();
  EXPECT_NO_THROW(validate(tree));
  ASSERT_EQ(tree.tasks.size(), 3u);
  EXPECT_EQ(tree.tasks[1], (task{0, 1}));
  EXPECT_EQ(tree.tasks[2], (task{1, 1}));
  EXPECT_EQ(tree.tasks[0], (task{2, 5}));
  EXPECT_EQ(tree.ops[2], (op{.what = op::kind::compute, .first = 0, .count = 1, .amount = 10}));
}

TEST(tree_builder, work_and_span) {
  const tree_summary sum = summarise(small_tree());
  EXPECT_EQ(sum.tasks, 3u);
  EXPECT_EQ(sum.leaves, 2u);
  EXPECT_EQ(sum.forks, 2u);
  EXPECT_EQ(sum.bytes_read, 8u);
  EXPECT_EQ(sum.work, 23);
  EXPECT_EQ(sum.critical_path, 17);
}

TEST(tree_builder, invalid_calls_are_refused) {
  tree_builder empty;
  EXPECT_NE(what([&] { empty.compute(1); }), "");
  EXPECT_NE(what([&] { empty.end_root(); }), "");
  EXPECT_NE(what([&] { empty.open_group(-1, false, 0); }), "");

  tree_builder builder;
  builder.begin_root("root");
  EXPECT_EQ(what([&] { builder.begin_root("root"); }), "expected the end of the last root before the next one");
  EXPECT_EQ(what([&] { builder.compute(-1); }), "expected a time of at least 0 ns");
  EXPECT_EQ(what([&] { builder.wait(0); }), "expected an open group of the task that waits");
  const std::uint32_t group = builder.open_group(-1, false, 0);
  EXPECT_EQ(what([&] { builder.wait(group); }), "expected a fork into the group before the wait for it");
  const std::uint32_t invoked = builder.open_group(-1, true, 0);
  EXPECT_EQ(what([&] { builder.fork(invoked, -1, false, true); }),
            "expected the group of a task_group for an inter-socket task");
  builder.fork(invoked, -1, false);
  builder.end_task();
  builder.wait(invoked);
  builder.fork(group, -1, false);
  EXPECT_EQ(what([&] { builder.fork(group, -1, false); }), "expected an open group of the task that forks");
  EXPECT_EQ(what([&] { builder.end_root(); }), "expected the end of a child, not of a root");
  builder.touch({.length = 1});
  EXPECT_EQ(what([&] { builder.end_task(); }), "expected the time of the work that accesses belong to");
  builder.compute(0);
  builder.end_task();
  EXPECT_EQ(what([&] { builder.end_root(); }), "expected a wait for every group before its task ends");
  EXPECT_EQ(what([&] { builder.finish(); }), "expected the end of the last root");
}

TEST(validate, finds_each_broken_promise) {
  const struct {
    std::function<void(task_tree&)> damage;
    const char* found;
  } cases[] = {
      {[](task_tree& t) { t.workers = 0; }, "a task tree needs at least one worker and a compute rate above 0"},
      {[](task_tree& t) { t.roots[0].task = 9; }, "a root has no task 9"},
      {[](task_tree& t) { t.roots.push_back(t.roots[0]); }, "task 0 begins twice"},
      {[](task_tree& t) { t.roots.clear(); }, "task 0 is the child of no fork"},
      {[](task_tree& t) { t.tasks[2].ops = 9; }, "task 2 has no such steps"},
      {[](task_tree& t) { t.tasks[2].first_op = 99; }, "task 2 has no such steps"},
      {[](task_tree& t) { t.ops[3].first = 2; }, "task 2 begins twice"},
      {[](task_tree& t) { t.ops[3].first = 7; }, "task 0 has no task 7"},
      {[](task_tree& t) { t.ops[3].count = 7; }, "task 0 has no group 7"},
      {[](task_tree& t) { t.ops[2].count = 7; }, "task 0 has no such accesses"},
      {[](task_tree& t) { t.ops[0].amount = -1; }, "task 1 computes for a time that is no number >= 0"},
      {[](task_tree& t) { t.ops[3].amount = std::numeric_limits<double>::quiet_NaN(); },
       "task 0 has a work hint that is no number"},
      {[](task_tree& t) { t.groups[0].structured = t.ops[3].inter = true; },
       "task 0 forks an inter-socket task as a branch of group 0"},
      {[](task_tree& t) { t.tasks[0].ops = 4; }, "group 0 is not waited for"},
      {[](task_tree& t) { std::swap(t.ops[4], t.ops[6]); }, "task 0 uses group 0 after its wait"},
      {[](task_tree& t) { std::swap(t.ops[3], t.ops[6]); }, "task 0 waits for group 0 before it forks into it"},
      {[](task_tree& t) { t.groups.push_back({}); }, "group 1 has no children"},
      {[](task_tree& t) { t.groups[0].site = 4; }, "group 0 has no such site"},
      {[](task_tree& t) { t.ops[0] = t.ops[6]; }, "task 1 uses group 0 of another task"},
      {[](task_tree& t) { t.accesses[0].rows = 0; }, "an access is empty"},
      {[](task_tree& t) { t.accesses[0].address = ~std::uint64_t{0}; }, "an access ends above the highest address"},
  };
  for (const auto& each : cases) {
    task_tree tree = small_tree();
    each.damage(tree);
    EXPECT_EQ(what([&] { validate(tree); }), each.found);
  }
}

TEST(validate, finds_a_task_that_is_its_own_ancestor) {
  task_tree tree = small_tree();
  // Tasks 1 and 2 fork each other, each into a group of its own.
  const auto first = tree.ops.size();
  for (const std::uint32_t i : {1u, 2u}) {
    tree.ops.push_back({.what = op::kind::fork, .first = 3 - i, .count = i});
    tree.ops.push_back({.what = op::kind::wait, .count = i});
    tree.tasks[i] = {first + std::size_t{2} * (i - 1), 2};
    tree.groups.push_back({});
  }
  tree.tasks[0] = {2, 1};
  tree.groups.erase(tree.groups.begin());
  for (op& each : tree.ops) {
    if (each.what != op::kind::compute && each.count != 0) --each.count;
  }
  EXPECT_EQ(what([&] { validate(tree); }), "a task is its own ancestor");
}

}  // namespace
}  // namespace jackdaw::trace
