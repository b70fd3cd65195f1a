// The same programs on real and on simulated workers, in cases in which both must do the same: with one worker, and
// with several without steals.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "program.hpp"
#include "run_tree.hpp"

namespace jackdaw::sim {
namespace {

constexpr std::uint64_t seeds = 60;

class on_one_worker : public testing::TestWithParam<const char*> {};

TEST_P(on_one_worker, leaves_come_in_the_same_order_and_as_many_waits_suspend) {
  jackdaw::runtime rt({.scheduler = GetParam(), .workers = 1});
  bool any_suspended = false;
  bool any_out_of_order = false;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const test::body program = test::grower(seed, {.depth = 4, .interleaved = seed % 2 == 0}).grow();
    const test::story simulated =
        test::run_tree(test::record(program), test::costly_machine(1, 1), {.scheduler = GetParam()});
    std::vector<std::uint32_t> order;
    rt.reset_stats();
    rt.run([&] { test::play(program, [&](unsigned leaf) { order.push_back(leaf); }); });
    ASSERT_EQ(simulated.order, order) << "seed " << seed;
    ASSERT_EQ(simulated.work.suspensions, rt.stats().suspensions) << "seed " << seed;
    any_suspended |= simulated.work.suspensions > 0;
    any_out_of_order |= !std::is_sorted(order.begin(), order.end());
  }
  EXPECT_TRUE(any_suspended);
  EXPECT_TRUE(any_out_of_order);
}

INSTANTIATE_TEST_SUITE_P(all, on_one_worker,
                         testing::Values("random", "hierarchical", "adws", "adws:no-steal", "constrained"));

class without_steals : public testing::TestWithParam<unsigned> {};

TEST_P(without_steals, adws_runs_each_leaf_on_the_same_worker) {
  jackdaw::runtime rt({.scheduler = "adws:no-steal", .workers = GetParam()});
  std::uint64_t migrations = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const test::body program = test::grower(seed, {.depth = 4}).grow();
    const test::story simulated =
        test::run_tree(test::record(program), test::costly_machine(1, GetParam()), {.scheduler = "adws:no-steal"});
    std::vector<unsigned> worker(simulated.worker.size());
    rt.run([&] { test::play(program, [&](unsigned leaf) { worker[leaf] = jackdaw::this_worker().value(); }); });
    ASSERT_EQ(simulated.worker, worker) << "seed " << seed;
    migrations += simulated.work.migrations;
  }
  EXPECT_GT(migrations, seeds);
}

INSTANTIATE_TEST_SUITE_P(all, without_steals, testing::Values(2u, 3u, 4u, 7u));

}  // namespace
}  // namespace jackdaw::sim
