// Inter-socket tasks that a program marks (CAB, III-D), on the logs and stories of simulations.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "program.hpp"
#include "run_tree.hpp"
#include "sched/squad_log.hpp"
#include "sim/simulate.hpp"
#include "support/sanitized.hpp"

namespace jackdaw::sim {
namespace {

constexpr unsigned leaves_of_subtree = 8;

/// Plain halves down to single leaves.
test::body halves(unsigned leaves, double ns = 20'000) {
  if (leaves == 1) return {test::compute(ns)};
  return {test::invoke({{-1, halves(leaves / 2, ns)}, {-1, halves(leaves / 2, ns)}})};
}

/// Three marked children each, `levels` deep, and plain halves below.
test::body marked_tree(unsigned levels) {
  if (levels == 0) return halves(leaves_of_subtree);
  test::body made;
  for (unsigned i = 0; i < 3; ++i) made.push_back(test::fork_inter(0, marked_tree(levels - 1)));
  made.push_back(test::wait(0));
  return made;
}

trace::task_tree repeated(unsigned times, const test::body& once) {
  test::body root;
  for (unsigned i = 0; i < times; ++i) root.insert(root.end(), once.begin(), once.end());
  return test::record(root);
}

jackdaw::test::squad_log simulate_logged(const trace::task_tree& tree, const machine_model& machine, scenario what) {
  jackdaw::test::squad_log log;
  what.events = &log.events;
  what.rescues = false;  // the rules hold only without rescues
  simulate(tree, address_space(tree, machine), machine, what);
  for (unsigned socket = 0; socket < machine.sockets; ++socket) {
    const unsigned first = socket * machine.cores_per_socket;
    log.squads.push_back({.workers = {first, first + machine.cores_per_socket - 1}});
  }
  return log;
}

using sockets_of = std::pair<unsigned, unsigned>;  // sockets, cores of each

class marked : public testing::TestWithParam<std::tuple<std::string, sockets_of>> {
 protected:
  const std::string scheduler = std::get<0>(GetParam());
  const unsigned sockets = std::get<1>(GetParam()).first;
  const unsigned cores = std::get<1>(GetParam()).second;
  const machine_model machine = test::costly_machine(sockets, cores);

  jackdaw::test::squad_log::marked_tasks run(const trace::task_tree& tree, std::uint64_t seed = 1) {
    const jackdaw::test::squad_log log = simulate_logged(tree, machine, {.scheduler = scheduler, .seed = seed});
    log.expect_one_subtree_at_a_time();
    if (scheduler != "cab") log.expect_three_levels_in_order();
    decided = log.iterations();
    return log.expect_marked_rules();
  }
  std::vector<std::string> decided;
};

TEST_P(marked, tasks_go_through_pools_to_one_squad_each) {
  const trace::task_tree tree = repeated(4, marked_tree(3));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto found = run(tree, seed);
    EXPECT_EQ(found.inter, 4u * (3 + 9 + 27));
    EXPECT_EQ(found.leaves, 4u * 27);
    EXPECT_GT(found.moved, 0u);
    ASSERT_EQ(decided.size(), 4u);
    EXPECT_EQ(decided[0], scheduler == "cab" ? "profile" : scheduler.substr(4));
    for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(decided[i], "marked");
  }
}

TEST_P(marked, tasks_keep_their_plain_children_in_their_squad) {
  const trace::task_tree tree = repeated(4, marked_tree(3));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const test::story s = test::run_tree(tree, machine, {.scheduler = scheduler, .seed = seed});
    std::set<unsigned> used, workers;
    for (std::size_t leaf = 0; leaf < s.worker.size(); ++leaf) {
      const unsigned squad = s.worker[leaf] / cores;
      EXPECT_EQ(squad, s.worker[leaf / leaves_of_subtree * leaves_of_subtree] / cores) << "leaf " << leaf;
      used.insert(squad);
      workers.insert(s.worker[leaf]);
    }
    EXPECT_EQ(used.size(), sockets);
    EXPECT_EQ(workers.size(), sockets * cores);
  }
}

TEST_P(marked, tasks_may_fork_nothing_or_one_child) {
  test::body once;
  for (unsigned i = 0; i < 6; ++i) once.push_back(test::fork_inter(0, {}));
  once.push_back(test::fork_inter(0, {test::compute(5000)}));
  once.push_back(test::fork_inter(0, {test::fork(0, {test::compute(5000)}), test::wait(0)}));
  once.push_back(test::fork_inter(0, {test::fork_inter(0, {}), test::wait(0)}));
  once.push_back(test::wait(0));
  const auto found = run(repeated(3, once));
  EXPECT_EQ(found.inter, 3u * 10);
  EXPECT_EQ(found.leaves, 3u);
}

TEST_P(marked, and_plain_children_mix_in_one_group_of_the_root) {
  const test::body once{test::fork(0, halves(8)), test::fork_inter(0, halves(8)),
                        test::fork(0, halves(4)), test::fork_inter(0, halves(8)),
                        test::compute(3000),      test::fork_inter(0, halves(1)),
                        test::fork(0, halves(8)), test::wait(0)};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto found = run(repeated(4, once), seed);
    EXPECT_EQ(found.inter, 4u * 3);
    EXPECT_EQ(found.leaves, 4u * 2);
  }
}

TEST_P(marked, and_plain_children_mix_in_a_task_that_marks_first) {
  const test::body inner{test::fork_inter(0, halves(8)), test::fork(0, halves(8)), test::fork_inter(0, halves(8)),
                         test::fork(0, halves(2)), test::wait(0),
                         // What it does after the group has ended.
                         test::invoke({{-1, halves(4)}, {-1, halves(4)}}), test::fork_inter(0, halves(8)),
                         test::wait(0)};
  test::body once;
  for (unsigned i = 0; i < 3; ++i) once.push_back(test::fork_inter(0, inner));
  once.push_back(test::wait(0));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto found = run(repeated(4, once), seed);
    EXPECT_EQ(found.inter, 4u * 3 * (1 + 3));
    EXPECT_EQ(found.leaves, 4u * 3 * 3);
  }
}

TEST_P(marked, tasks_below_plain_ones_are_plain) {
  // A leaf inter-socket task marks in the group in which it forked plainly, in another one, after that and from below.
  const test::body leaf{test::fork(0, {test::fork_inter(0, halves(2)), test::wait(0)}),
                        test::fork_inter(0, halves(2)),
                        test::fork_inter(1, halves(2)),
                        test::wait(0),
                        test::fork_inter(1, halves(2)),
                        test::wait(1),
                        test::fork_inter(2, halves(2)),
                        test::wait(2)};
  test::body once;
  for (unsigned i = 0; i < 5; ++i) once.push_back(test::fork_inter(0, leaf));
  once.push_back(test::wait(0));
  const auto found = run(repeated(3, once));
  EXPECT_EQ(found.inter, 3u * 5);
  EXPECT_EQ(found.leaves, 3u * 5);
}

TEST_P(marked, random_programs_keep_the_rules) {
  std::size_t inter = 0, leaves = 0;
  for (std::uint64_t seed = 1; seed <= (jackdaw::test::sanitized ? 10 : 30); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::body root;
    for (unsigned i = 0; i < 3; ++i) {
      const test::body once =
          test::grower(10 * seed + i, {.depth = 4, .interleaved = seed % 2 == 0, .marks = true}).grow();
      root.insert(root.end(), once.begin(), once.end());
    }
    const auto found = run(test::record(root), seed);
    inter += found.inter;
    leaves += found.leaves;
  }
  EXPECT_GT(inter, 30u);
  EXPECT_GT(leaves, 30u);
}

INSTANTIATE_TEST_SUITE_P(all, marked,
                         testing::Combine(testing::Values("cab", "cab:1", "cab:2", "cab:3"),
                                          testing::Values(sockets_of{2, 4}, sockets_of{4, 4}, sockets_of{8, 2},
                                                          sockets_of{4, 1})));

trace::task_tree without_marks(trace::task_tree tree) {
  for (trace::op& each : tree.ops) each.inter = false;
  return tree;
}

TEST(marks, mean_nothing_to_other_schedulers_and_on_one_socket) {
  const trace::task_tree ordered = repeated(3, marked_tree(2));
  for (const std::string& scheduler : sched::names()) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const trace::task_tree grown =
          test::record(test::grower(seed, {.depth = 4, .interleaved = seed % 2 == 0, .marks = true}).grow());
      for (const trace::task_tree* const tree : {&ordered, &grown}) {
        for (const unsigned sockets : {1u, 2u}) {
          if (scheduler == "cab" && sockets > 1) continue;
          const machine_model machine = test::costly_machine(sockets, 4);
          const test::how how{.scheduler = scheduler, .seed = seed};
          EXPECT_TRUE(test::run_tree(*tree, machine, how) == test::run_tree(without_marks(*tree), machine, how))
              << scheduler << ", seed " << seed << ", " << sockets << " sockets";
        }
      }
    }
  }
}

TEST(marks, differ_from_levels_where_they_count) {
  const trace::task_tree tree = repeated(3, marked_tree(2));
  const machine_model machine = test::costly_machine(2, 4);
  EXPECT_FALSE(test::run_tree(tree, machine, {.scheduler = "cab"}) ==
               test::run_tree(without_marks(tree), machine, {.scheduler = "cab"}));
}

TEST(marks, of_one_region_do_not_reach_another_one) {
  test::body root;
  for (unsigned i = 0; i < 3; ++i) {
    for (test::step& each : marked_tree(1)) root.push_back(std::move(each));
    root.push_back(test::invoke({{-1, halves(4)}, {-1, halves(4)}}));
  }
  trace::task_tree tree = test::record(root);
  tree.sites = {"nested", "marked", "levels"};
  for (trace::group& each : tree.groups) each.site = each.structured ? 2 : 1;
  const machine_model machine = test::costly_machine(2, 4);
  const jackdaw::test::squad_log log = simulate_logged(tree, machine, {.scheduler = "cab:2"});
  EXPECT_EQ(log.iterations(), (std::vector<std::string>{"2", "2", "marked", "2", "marked", "2"}));
  EXPECT_EQ(log.expect_marked_rules().inter, 3u * 3);
}

}  // namespace
}  // namespace jackdaw::sim
