// The papers' bounds on time and space (LAWS 5.2, CAB III-E) hold on random trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/bounds.hpp"
#include "analysis/phases.hpp"
#include "machines.hpp"
#include "program.hpp"
#include "run_tree.hpp"
#include "sched/cab.hpp"
#include "sim/charged.hpp"
#include "sim/simulate.hpp"
#include "support/sanitized.hpp"

namespace jackdaw::sim {
namespace {

constexpr std::uint64_t seeds = jackdaw::test::sanitized ? 6 : 12;

/// A simulation's result, and its bounds.
struct bounded {
  double time = 0;  ///< of the last iteration
  std::size_t frames = 0;
  analysis::squad_count crew;
  analysis::tiers bare, charged;  ///< of the last iteration; without and with the runtime's costs
};

bounded simulate_bounded(const trace::task_tree& tree, const machine_model& machine, const std::string& scheduler,
                         const analysis::squad_count& crew, std::uint64_t seed) {
  const address_space space(tree, machine);
  execution ran;
  const outcome out =
      simulate(tree, space, machine,
               {.scheduler = scheduler, .seed = seed, .told = {.data = 1 << 20, .branching = 2}, .ran = &ran});
  bounded result{.crew = crew, .bare = {}, .charged = {}};
  const analysis::phase last = analysis::iterations_of(tree, *analysis::main_root(tree)).back();
  EXPECT_EQ(ran.phases.back().group, last.group);
  result.time = ran.phases.back().ended - ran.phases.back().began;
  result.frames = ran.phases.back().frames;
  EXPECT_LE(result.frames, out.most_frames);
  analysis::charges cost = charges_of(machine, result.crew);
  cost.took = &ran.took;
  result.charged = analysis::split(tree, last.steps, ran.places, result.crew.workers, cost);
  result.bare = analysis::split(tree, last.steps, ran.places, result.crew.workers, {.took = &ran.took});
  return result;
}

/// The same tree twice in each of some iterations, so that schedulers which learn in the first one have learned.
trace::task_tree iterating(std::uint64_t seed, unsigned iterations) {
  test::shape like{.depth = 3 + static_cast<unsigned>(seed % 3), .data = seed % 3 == 0 ? std::uint64_t{1} << 20 : 0};
  like.with_groups = seed % 2 == 1;
  like.interleaved = seed % 4 == 1;
  const test::body once = test::grower(seed, like).grow();
  test::body root;
  for (unsigned i = 0; i < iterations; ++i) {
    root.push_back(test::invoke({{.hint = 1, .does = once}, {.hint = 1, .does = once}}));
  }
  return test::record(root);
}

class bounds : public testing::TestWithParam<std::tuple<std::string, unsigned, bool>> {
 protected:
  const std::string scheduler = std::get<0>(GetParam());
  const unsigned sockets = std::get<1>(GetParam());
  const bool costly = std::get<2>(GetParam());
};

TEST_P(bounds, hold_on_random_trees) {
  unsigned packed = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const trace::task_tree tree = iterating(seed, scheduler.starts_with("cab") ? 1 : 4);
    machine_model machine = test::costly_machine(sockets, 8 / sockets);
    if (!costly) machine.cost = {};
    const bounded it = simulate_bounded(tree, machine, scheduler, {sockets, 8 / sockets}, seed);
    EXPECT_LE(it.frames, analysis::space_bound(it.bare, it.crew));
    // No scheduler is faster than work and span allow.
    EXPECT_GE(it.time, std::max(it.bare.work / 8, it.bare.critical_path) * (1 - 1e-9));
    if (it.bare.tops == 0) continue;
    ++packed;
    EXPECT_LE(it.time, analysis::squad_time_bound(it.charged, it.crew));
  }
  EXPECT_GE(packed, seeds / 3);
}

INSTANTIATE_TEST_SUITE_P(all, bounds,
                         testing::Combine(testing::Values("cab:2", "cab:3", "cab:4", "cats", "laws:paper", "laws:1"),
                                          testing::Values(2u, 4u), testing::Bool()));

class plain_bounds : public testing::TestWithParam<std::string> {};

TEST_P(plain_bounds, hold_where_nothing_is_packed) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const bounded it = simulate_bounded(iterating(seed, 1), test::costly_machine(2, 4), GetParam(), {1, 8}, seed);
    EXPECT_EQ(it.bare.tops, 0);
    EXPECT_LE(it.time, analysis::plain_time_bound(it.charged, 8));
    EXPECT_LE(it.frames, analysis::space_bound(it.bare, it.crew));
  }
}

INSTANTIATE_TEST_SUITE_P(all, plain_bounds, testing::Values("random", "cab:0"));

// The charges cover at least the runtime's own work.
TEST(charges, cover_the_work_of_the_runtime) {
  for (const char* scheduler : {"random", "cab:2", "cab:4"}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const trace::task_tree tree = iterating(seed, 1);
      const machine_model machine = test::costly_machine(4, 2);
      const address_space space(tree, machine);
      const outcome out = simulate(tree, space, machine, {.scheduler = scheduler, .seed = seed});
      const auto steps =
          std::ranges::count_if(tree.ops, [](const trace::op& each) { return each.what != trace::op::kind::compute; });
      EXPECT_GT(out.work.overhead, 0);
      EXPECT_LE(out.work.overhead, static_cast<double>(steps) * charges_of(machine, {4, 2}).step_work)
          << scheduler << ", seed " << seed;
    }
  }
}

// One subtree of 1000 equal leaves: the bound as printed assumes that four squads share it.
TEST(bounds_as_printed, do_not_hold_for_fewer_subtrees_than_squads) {
  test::body wide;
  for (unsigned i = 0; i < 1000; ++i) wide.push_back(test::fork(0, {test::compute(10'000)}));
  wide.push_back(test::wait(0));
  const trace::task_tree tree = test::record(test::body{test::fork(0, wide), test::wait(0)});
  machine_model machine = test::costly_machine(4, 2);
  machine.cost = {};
  const bounded it = simulate_bounded(tree, machine, "cab:2", {4, 2}, 1);
  EXPECT_EQ(it.bare.tops, 1);
  EXPECT_GT(it.time, 3 * analysis::printed_time_bound(it.bare, it.crew));
  EXPECT_LE(it.time, analysis::squad_time_bound(it.charged, it.crew));
}

// LAWS' squads take from others only when all tasks of the free tier have made all their forks, so squads may idle
// beside a full pool: work that is divided badly is bounded as if there were one squad.
TEST(bounds_of_laws, hold_for_one_squad_however_work_is_divided) {
  const auto pair = [](double ns) {
    return test::body{test::invoke({{1, {test::compute(ns)}}, {1, {test::compute(ns)}}})};
  };
  test::body root;
  for (unsigned iteration = 0; iteration < 8; ++iteration) {
    // Nearly all the work lies in the first tenth of what the hints say.
    for (unsigned i = 0; i < 40; ++i) root.push_back(test::fork(0, pair(50'000), 1, 400));
    for (unsigned i = 0; i < 36; ++i) root.push_back(test::fork(0, pair(1'000), 10, 400));
    root.push_back(test::wait(0));
  }
  const trace::task_tree tree = test::record(root);
  const machine_model machine = test::costly_machine(4, 2);
  const address_space space(tree, machine);
  execution ran;
  simulate(tree, space, machine, {.scheduler = "laws", .told = {.data = 6 << 20, .branching = 2}, .ran = &ran});
  analysis::charges cost = charges_of(machine, {4, 2});
  cost.took = &ran.took;
  const std::vector<analysis::phase> iterations = analysis::iterations_of(tree, tree.roots[0]);
  ASSERT_EQ(iterations.size(), ran.phases.size());
  for (std::size_t i = 0; i < iterations.size(); ++i) {
    const analysis::tiers of = analysis::split(tree, iterations[i].steps, ran.places, 2, cost);
    const double time = ran.phases[i].ended - ran.phases[i].began;
    EXPECT_LE(time, of.tops != 0 ? analysis::squad_time_bound(of, {1, 2}) : analysis::plain_time_bound(of, 2)) << i;
  }
}

TEST(execution, reports_each_tasks_place) {
  const trace::task_tree tree = iterating(2, 3);
  const machine_model machine = small_machine(2, 4);
  const address_space space(tree, machine);
  execution ran;
  const outcome out = simulate(tree, space, machine, {.scheduler = "cab:3", .ran = &ran});
  ASSERT_EQ(ran.phases.size(), 3);
  for (const execution::phase& each : ran.phases) {
    EXPECT_EQ(each.rule, sched::cab::decisions::boundary);
    EXPECT_EQ(each.value, 3);
    EXPECT_GT(each.frames, 0);
  }
  // No data are touched, so each step takes what was recorded.
  for (std::size_t i = 0; i < tree.ops.size(); ++i) {
    if (tree.ops[i].what == trace::op::kind::compute) {
      EXPECT_NEAR(ran.took[i], tree.ops[i].amount, 1e-6);
    }
  }
  EXPECT_EQ(ran.places, analysis::places_at(tree, tree.tasks[tree.roots[0].task], 3));
  EXPECT_EQ(ran.squads.size(), 2);
  EXPECT_EQ(ran.phases.back().ended, out.whole);
}

}  // namespace
}  // namespace jackdaw::sim
