// Constrained work stealing's promises: once a region has settled, each leaf runs on the same worker in each iteration
// and nothing is stolen; a change of shape starts over; and what changes all the time runs as under random stealing.
#include "sched/constrained.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "program.hpp"
#include "run_tree.hpp"
#include "sim/simulate.hpp"

namespace jackdaw::sim {
// Named, because other files of this folder have functions of the same names.
namespace constrained_stealing {
namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t block = 16 * kib;
constexpr std::uint64_t grid = 16;  // blocks in a row
constexpr unsigned leaves = grid * grid;

/// One step of heat2d: a leaf updates its block and reads the four around it. In quarters, as the paper divides it.
test::body sweep(std::uint64_t x, std::uint64_t y, std::uint64_t side) {
  const auto at = [](std::uint64_t column, std::uint64_t row) {
    return (std::uint64_t{1} << 20) + (row % grid * grid + column % grid) * block;
  };
  if (side == 1) {
    return {test::compute(2'000, {{.address = at(x, y), .length = block},
                                  {.address = at(x + 1, y), .length = 256},
                                  {.address = at(x, y + 1), .length = 256},
                                  {.address = at(x + grid - 1, y), .length = 256},
                                  {.address = at(x, y + grid - 1), .length = 256},
                                  {.address = at(x, y), .length = block, .write = true}})};
  }
  const std::uint64_t half = side / 2;
  return {test::fork(0, sweep(x, y, half), 1, 4), test::fork(0, sweep(x + half, y, half), 1, 4),
          test::fork(0, sweep(x, y + half, half), 1, 4), test::fork(0, sweep(x + half, y + half, half), 1, 4),
          test::wait(0)};
}

test::body repeated(unsigned times, const std::function<test::body(unsigned)>& iteration) {
  test::body root;
  for (unsigned i = 0; i < times; ++i) {
    for (test::step& each : iteration(i)) root.push_back(std::move(each));
  }
  return root;
}

trace::task_tree heat(unsigned iterations) {
  return test::record(repeated(iterations, [](unsigned) { return sweep(0, 0, grid); }));
}

machine_model four_by_four() {
  machine_model m = test::costly_machine(4, 4);
  m.private_cache.size = 512 * kib;  // two workers' parts
  m.shared_cache.size = 4096 * kib;
  return m;
}

struct logged {
  std::vector<sched::event> events;
  outcome came_to;

  /// Its rules, an iteration each, and what else it decided.
  std::vector<std::string> decided() const {
    std::vector<std::string> all;
    for (const sched::event& each : events) {
      if (each.what == sched::event::kind::decide) all.emplace_back(each.decided->name);
    }
    return all;
  }
};

logged simulate_logged(const trace::task_tree& tree, const machine_model& machine, scenario what) {
  logged made;
  what.events = &made.events;
  made.came_to = simulate(tree, address_space(tree, machine), machine, what);
  return made;
}

/// Leaves whose worker differs from that in the iteration before.
unsigned moved(const test::story& of, unsigned iteration) {
  unsigned count = 0;
  for (unsigned i = iteration * leaves; i < (iteration + 1) * leaves; ++i) {
    count += of.worker[i] != of.worker[i - leaves] ? 1 : 0;
  }
  return count;
}

class seeds : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(all, seeds, testing::Range<std::uint64_t>(1, 6));

TEST_P(seeds, each_leaf_has_the_same_worker_in_each_replay) {
  const trace::task_tree tree = heat(12);
  const test::story s = test::run_tree(tree, four_by_four(), {.scheduler = "constrained", .seed = GetParam()});
  const test::story random = test::run_tree(tree, four_by_four(), {.scheduler = "random", .seed = GetParam()});
  for (unsigned iteration = 7; iteration < 12; ++iteration) {
    EXPECT_EQ(moved(s, iteration), 0u) << "iteration " << iteration;
    EXPECT_GT(moved(random, iteration), leaves / 4) << "the program shows nothing";
  }
  // The first replay has most of the mapping of the last iteration with steals, as the second has of the first.
  EXPECT_LE(moved(s, 6), leaves / 8);
  EXPECT_LT(moved(s, 1), moved(random, 1));
}

TEST_P(seeds, replays_steal_nothing_and_miss_less) {
  const trace::task_tree tree = heat(16);
  const machine_model machine = four_by_four();
  const logged made = simulate_logged(tree, machine, {.scheduler = "constrained", .seed = GetParam()});
  const outcome random = simulate(tree, address_space(tree, machine), machine, {.scheduler = "random"});
  std::vector<std::string> expected(16, "replay");
  expected[0] = "record";
  std::fill_n(expected.begin() + 1, 5, "relax");
  EXPECT_EQ(made.decided(), expected);
  bool replays = false;
  for (const sched::event& each : made.events) {
    if (each.what == sched::event::kind::decide) replays = *each.decided == sched::constrained::decisions::replay;
    if (!replays) continue;
    EXPECT_NE(each.what, sched::event::kind::steal);
    EXPECT_NE(each.what, sched::event::kind::rescue);
    // Pools 2w and 2w + 1 are worker w's.
    if (each.what == sched::event::kind::take) {
      EXPECT_EQ(each.other / 2, each.worker);
    }
  }
  // The measured part is replays alone.
  EXPECT_LT(made.came_to.data.private_misses, 0.8 * static_cast<double>(random.data.private_misses));
  EXPECT_LT(made.came_to.per_iteration(), random.per_iteration());
}

TEST(constrained, the_record_grows_while_it_is_relaxed_and_is_kept_in_replays) {
  const logged made = simulate_logged(heat(12), four_by_four(), {.scheduler = "constrained:relws=4"});
  std::vector<std::int64_t> steals;
  for (const sched::event& each : made.events) {
    if (each.what == sched::event::kind::decide) steals.push_back(each.value);
  }
  ASSERT_EQ(steals.size(), 12u);
  EXPECT_GE(steals[1], 15) << "each of the other workers has stolen at least once";
  EXPECT_GE(steals[5], steals[1]) << "ADWS 5.1: the number of branches of StealTree increases";
  for (std::size_t i = 6; i < 12; ++i) EXPECT_EQ(steals[i], steals[5]);
}

TEST(constrained, as_many_iterations_are_relaxed_as_asked_for) {
  for (const unsigned relaxed : {0U, 1U, 3U}) {
    const logged made =
        simulate_logged(heat(6), four_by_four(), {.scheduler = "constrained:relws=" + std::to_string(relaxed)});
    const std::vector<std::string> all = made.decided();
    EXPECT_EQ(std::ranges::count(all, "record"), 1);
    EXPECT_EQ(std::ranges::count(all, "relax"), relaxed);
    EXPECT_EQ(std::ranges::count(all, "replay"), 5 - relaxed);
  }
}

/// A root's group of so many parts, each of four leaves.
test::body parts(unsigned count, unsigned leaves_of_each = 4, double ns = 20'000) {
  test::body made;
  for (unsigned part = 0; part < count; ++part) {
    test::body below;
    for (unsigned leaf = 0; leaf < leaves_of_each; ++leaf) below.push_back(test::fork(0, {test::compute(ns)}));
    below.push_back(test::wait(0));
    made.push_back(test::fork(0, below));
  }
  made.push_back(test::wait(0));
  return made;
}

TEST(constrained, another_shape_starts_over) {
  const struct {
    const char* what;
    test::body other;
  } changes[] = {{"a child less", parts(23)},
                 {"a child more", parts(25)},
                 {"grandchildren less", parts(24, 3)},
                 {"no grandchildren", parts(24, 0)}};
  for (const auto& [what, other] : changes) {
    const trace::task_tree tree =
        test::record(repeated(12, [&](unsigned i) { return i < 4 ? parts(24) : test::body(other); }));
    const logged made = simulate_logged(tree, four_by_four(), {.scheduler = "constrained:relws=1"});
    EXPECT_EQ(made.decided(),
              (std::vector<std::string>{"record", "relax", "replay", "replay", "replay", "restart", "record", "relax",
                                        "replay", "replay", "replay", "replay", "replay"}))
        << what;
  }
}

TEST(constrained, a_shape_that_changes_while_it_is_recorded_starts_over) {
  const trace::task_tree tree = test::record(repeated(8, [](unsigned i) { return parts(i < 2 ? 24 : 30); }));
  const logged made = simulate_logged(tree, four_by_four(), {.scheduler = "constrained"});
  EXPECT_EQ(made.decided(), (std::vector<std::string>{"record", "relax", "relax", "restart", "record", "relax", "relax",
                                                      "relax", "relax"}));
}

TEST(constrained, what_a_worker_runs_alone_is_watched_by_its_time) {
  // The tree is the same; the leaves of the first parts take ten times as long from the 12th iteration on.
  const auto iteration = [](unsigned i) {
    test::body made;
    for (unsigned part = 0; part < 32; ++part) {
      made.push_back(test::fork(0, {test::compute(i >= 12 && part < 8 ? 200'000 : 20'000)}));
    }
    made.push_back(test::wait(0));
    return made;
  };
  const logged made =
      simulate_logged(test::record(repeated(30, iteration)), four_by_four(), {.scheduler = "constrained:relws=1"});
  const std::vector<std::string> all = made.decided();
  EXPECT_EQ(std::ranges::count(all, "restart"), 1);
  EXPECT_EQ(std::ranges::count(all, "record"), 2);
}

TEST(constrained, shapes_that_always_change_cost_little_more_than_random_stealing) {
  const trace::task_tree tree =
      test::record(repeated(120, [](unsigned i) { return parts(20 + i * 7 % 11, 1 + i % 5, 10'000); }));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const test::story s = test::run_tree(tree, four_by_four(), {.scheduler = "constrained", .seed = seed});
    const test::story random = test::run_tree(tree, four_by_four(), {.scheduler = "random", .seed = seed});
    EXPECT_LT(s.time, 1.05 * random.time);
  }
  const std::vector<std::string> all = simulate_logged(tree, four_by_four(), {.scheduler = "constrained"}).decided();
  EXPECT_GE(std::ranges::count(all, "plain"), 60);
  EXPECT_LE(std::ranges::count(all, "record"), 10);
}

TEST(constrained, tiny_tasks_are_not_recorded) {
  // 2^16 leaves of 100 ns: to place each would take five times as long as to run it.
  const auto tree = [](const auto& self, unsigned levels) -> test::body {
    if (levels == 0) return {test::compute(100)};
    return {test::invoke({{-1, self(self, levels - 1)}, {-1, self(self, levels - 1)}})};
  };
  const trace::task_tree once = test::record(tree(tree, 16));
  const test::story s = test::run_tree(once, four_by_four(), {.scheduler = "constrained"});
  const test::story random = test::run_tree(once, four_by_four(), {.scheduler = "random"});
  EXPECT_LT(s.time, 1.15 * random.time);
  EXPECT_LT(s.work.migrations, 4'000u);
}

TEST(constrained, one_worker_records_nothing) {
  const logged made = simulate_logged(heat(3), test::costly_machine(1, 1), {.scheduler = "constrained"});
  EXPECT_TRUE(made.decided().empty());
}

}  // namespace
}  // namespace constrained_stealing
}  // namespace jackdaw::sim
