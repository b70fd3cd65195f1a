#include "trace/recorder.hpp"

#include <gtest/gtest.h>

namespace jackdaw::trace {
namespace {

TEST(recorder, leaves_nothing_of_the_forks_that_it_measures) {
  recorder into("program", 1);
  into.label_next_root("mine");
  EXPECT_TRUE(into.measures_forks());
  into.measure_forks(
      [&] {
        const std::uint32_t group = into.open_group(2, true, &into);
        for (int branch = 0; branch < 2; ++branch) {
          into.fork(group, 1, false);
          into.end_task();
        }
        into.wait(group);
      },
      0);
  EXPECT_FALSE(into.measures_forks());
  into.begin_root();
  into.end_root();
  const task_tree tree = into.take();
  ASSERT_EQ(tree.roots.size(), 1u);
  EXPECT_EQ(tree.roots[0].label, "mine");
  EXPECT_EQ(tree.tasks.size(), 1u);
  EXPECT_TRUE(tree.groups.empty());
  EXPECT_EQ(tree.sites, (std::vector<std::string>{"nested"}));
}

}  // namespace
}  // namespace jackdaw::trace
