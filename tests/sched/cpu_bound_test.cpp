#include "sched/cpu_bound.hpp"

#include <gtest/gtest.h>

namespace jackdaw::sched {
namespace {

/// A census of tasks of one worker.
struct counted_tasks {
  counted_tasks() {
    census.restart(evidence::counters);
    census.add(0, {});
  }
  void add(std::uint64_t misses, std::uint64_t instructions) {
    sum = sum + counts{.misses = misses, .instructions = instructions};
    census.add(0, sum);
  }
  task_census census{1};
  counts sum;
};

TEST(task_census, judges_tasks_by_their_own_ratios) {
  // One task misses so much that the ratio of all together is over the limit.
  counted_tasks made;
  for (int i = 0; i < 100; ++i) made.add(800, 100'000);
  made.add(100'000, 100'000);
  EXPECT_FALSE(is_cpu_bound(made.sum, evidence::counters));
  EXPECT_TRUE(made.census.most_are_cpu_bound());
  // And the reverse: one that computes hides all those that miss.
  counted_tasks hidden;
  for (int i = 0; i < 100; ++i) hidden.add(4000, 100'000);
  hidden.add(0, 40'000'000);
  EXPECT_TRUE(is_cpu_bound(hidden.sum, evidence::counters));
  EXPECT_FALSE(hidden.census.most_are_cpu_bound());
}

TEST(task_census, weighs_tasks_by_their_time) {
  counted_tasks made;
  for (int i = 0; i < 1000; ++i) made.add(0, 100);  // that only fork
  made.add(5000, 100'000);
  EXPECT_FALSE(made.census.most_are_cpu_bound());
}

TEST(task_census, is_clear_if_all_together_miss_a_quarter_of_the_limit) {
  counted_tasks made;
  EXPECT_TRUE(made.census.all_are_clearly_cpu_bound());
  made.add(240, 100'000);
  EXPECT_TRUE(made.census.all_are_clearly_cpu_bound());
  made.add(300, 100'000);
  EXPECT_FALSE(made.census.all_are_clearly_cpu_bound());
  EXPECT_TRUE(made.census.most_are_cpu_bound());
  // One task that misses much, among many that do not.
  counted_tasks hidden;
  hidden.add(4000, 100'000);
  hidden.add(0, 10'000'000);
  EXPECT_TRUE(hidden.census.all_are_clearly_cpu_bound());
}

TEST(task_census, finds_all_cpu_bound_if_nothing_was_counted_and_forgets_when_it_restarts) {
  counted_tasks made;
  EXPECT_TRUE(made.census.most_are_cpu_bound());
  made.add(1000, 1000);
  EXPECT_FALSE(made.census.most_are_cpu_bound());
  made.census.restart(evidence::counters);
  made.add(1000, 1000);
  EXPECT_TRUE(made.census.most_are_cpu_bound()) << "done before, as far as is known";
  EXPECT_EQ(made.census.instructions(), 0u);
}

}  // namespace
}  // namespace jackdaw::sched
