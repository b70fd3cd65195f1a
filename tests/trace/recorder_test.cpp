#include "trace/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

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

void work_for(std::chrono::microseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
  }
}

TEST(recorder, marks_only_the_piece_that_says_that_it_is_in_vectors) {
  recorder into("program", 1);
  into.work_in_vectors();  // outside roots
  into.begin_root();
  work_for(std::chrono::microseconds(20));
  const std::uint32_t group = into.open_group(-1, false, &into);
  into.fork(group, -1, false);
  into.work_in_vectors();
  work_for(std::chrono::microseconds(20));
  into.end_task();
  work_for(std::chrono::microseconds(20));
  into.wait(group);
  into.end_root();
  const task_tree tree = into.take();
  EXPECT_GT(tree.vector_rate, 0);
  std::vector<bool> vector;
  for (const task& each : tree.tasks)
    for (std::uint64_t i = each.first_op; i < each.first_op + each.ops; ++i)
      if (tree.ops[i].what == op::kind::compute && tree.ops[i].amount > 10'000) vector.push_back(tree.ops[i].vector);
  EXPECT_EQ(std::count(vector.begin(), vector.end(), true), 1);
  EXPECT_EQ(vector.size(), 3u);
  into.begin_root();
  into.end_root();
  EXPECT_EQ(into.take().vector_rate, 0) << "of a recording without such work";
}

/// Counts three instructions a ns, 1000 for each reading, and none any more once it has `left` readings.
struct fake_counter {
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  std::uint64_t read = 0, left = 1'000'000;

  std::optional<std::uint64_t> operator()() {
    if (left == 0) return std::nullopt;
    --left;
    const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count();
    return 1000 * ++read + static_cast<std::uint64_t>(3 * ns);
  }
};

TEST(recorder, counts_the_instructions_of_work_without_those_of_counting) {
  recorder into("program", 1);
  into.count_instructions_by(fake_counter{});
  into.begin_root();
  for (int piece = 0; piece < 100; ++piece) {
    const std::uint32_t group = into.open_group(-1, false, &into);
    into.fork(group, -1, false);
    work_for(std::chrono::microseconds(20));
    into.end_task();
    into.wait(group);
  }
  into.end_root();
  const task_tree tree = into.take();
  EXPECT_NEAR(tree.instructions * tree.compute_rate, 3, 0.3);
  EXPECT_NEAR(tree.instructions_per_ns(false), 3, 0.3);
}

TEST(recorder, assumes_instructions_that_nobody_counts) {
  recorder into("program", 1);
  into.count_instructions_by(fake_counter{.left = 5});
  into.begin_root();
  work_for(std::chrono::microseconds(20));
  into.end_root();
  const task_tree tree = into.take();
  EXPECT_EQ(tree.instructions, 0);
  EXPECT_EQ(tree.instructions_per_ns(false), assumed_instructions * tree.compute_rate);
}

TEST(instruction_sample, reads_ever_fewer_stretches) {
  instruction_sample sample;
  unsigned readings = 0;
  sample.count_by([&] { return std::optional<std::uint64_t>(100 * ++readings); });
  readings = 0;
  constexpr unsigned stretches = 1 << 20;
  for (unsigned i = 0; i < stretches; ++i) {
    sample.begin();
    sample.end(10, i % 2 == 0);
  }
  // 4096 of each stretch, each third, each seventh ...: seven times, and a part of the next.
  EXPECT_GT(readings, 2u * 4096 * 7);
  EXPECT_LT(readings, 2u * 4096 * 9);
  EXPECT_EQ(sample.per_ns({1, 1}), 0) << "each stretch counts as much as one that does nothing";
}

TEST(instruction_sample, does_not_count_what_a_stretch_that_never_ended_began) {
  instruction_sample sample;
  std::uint64_t retired = 0;
  sample.count_by([&] { return std::optional(retired); });
  constexpr unsigned stretches = 1 << 16;
  for (unsigned i = 0; i < stretches; ++i) {
    sample.begin();
    retired += 1'000'000;  // the recorder's own
    sample.begin();
    retired += 30;
    sample.end(10, false);
  }
  EXPECT_EQ(sample.per_ns({1, 1}), 3);
}

TEST(instruction_sample, of_an_impossible_number_tells_nothing) {
  instruction_sample sample;
  std::uint64_t retired = 0;
  sample.count_by([&] { return std::optional(retired); });
  sample.begin();
  retired += 1'000'000;
  sample.end(10, false);
  EXPECT_EQ(sample.per_ns({1, 1}), 0);
}

}  // namespace
}  // namespace jackdaw::trace
