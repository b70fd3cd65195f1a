// Work, span, tiers and bounds of trees that are small enough to be worked out by hand.
#include "analysis/bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "analysis/phases.hpp"
#include "sim/program.hpp"

namespace jackdaw::analysis {
namespace {

using sim::test::body;
using sim::test::compute;
using sim::test::fork;
using sim::test::fork_help_first;
using sim::test::invoke;
using sim::test::record;
using sim::test::wait;
using trace::op;
using trace::root;
using trace::task;
using trace::task_tree;

body leaf(double ns) { return {compute(ns)}; }

/// 10, then children of 100 + 300 and 200 + 500 in turn around forks, then 20.
task_tree two_levels() {
  const body left{compute(1), invoke({{.does = leaf(100)}, {.does = leaf(300)}})};
  const body right{invoke({{.does = leaf(200)}, {.does = leaf(500)}}), compute(2)};
  return record(body{compute(10), invoke({{.does = left}, {.does = right}}), compute(20)});
}

const task& root_of(const task_tree& tree) { return tree.tasks[tree.roots[0].task]; }

tiers split_at(const task_tree& tree, unsigned level, unsigned squad, const charges& cost = {}) {
  return split(tree, root_of(tree), places_at(tree, root_of(tree), level), squad, cost);
}

TEST(tiers, without_a_boundary_all_is_one_tier) {
  const task_tree tree = two_levels();
  for (const unsigned level : {0u, 1u}) {
    const tiers all = split_at(tree, level, 2);
    EXPECT_EQ(all.work, 1133);
    EXPECT_EQ(all.critical_path, 10 + 502 + 20);
    EXPECT_EQ(all.squad_critical_path, all.critical_path);
    EXPECT_EQ(all.free_work, 1133);
    EXPECT_EQ(all.local_work, 0);
    EXPECT_EQ(all.tops, 0);
    EXPECT_EQ(all.pooled, 0);
    EXPECT_EQ(all.tasks, 7);
    EXPECT_EQ(all.leaves, 4);
    EXPECT_EQ(all.frames, 3);
  }
}

TEST(tiers, the_boundary_divides_work_and_spans) {
  const tiers upper = split_at(two_levels(), 2, 2);
  EXPECT_EQ(upper.free_work, 30);
  EXPECT_EQ(upper.local_work, 401 + 702);
  EXPECT_EQ(upper.subtree_critical_paths, 301 + 502);
  EXPECT_EQ(upper.tops, 2);
  EXPECT_EQ(upper.pooled, 2);
  // The longer subtree takes a squad of two at most 702/2 + 502.
  EXPECT_EQ(upper.squad_critical_path, 30 + 351 + 502);

  const tiers lower = split_at(two_levels(), 3, 4);
  EXPECT_EQ(lower.free_work, 33);
  EXPECT_EQ(lower.local_work, 1100);
  EXPECT_EQ(lower.subtree_critical_paths, 1100);
  EXPECT_EQ(lower.tops, 4);
  EXPECT_EQ(lower.squad_critical_path, 30 + 502 + 125);
}

TEST(tiers, below_all_leaves_there_are_no_tops_but_pooled_leaves) {
  const tiers deep = split_at(two_levels(), 9, 2);
  EXPECT_EQ(deep.tops, 0);
  EXPECT_EQ(deep.pooled, 4);
  EXPECT_EQ(deep.free_work, 1133);
}

TEST(tiers, groups_end_at_their_waits) {
  // 100 beside 5 + (30 beside 40), joined one by one.
  const task_tree tree =
      record(body{fork(0, leaf(100)), compute(5), fork(1, leaf(30)), compute(40), wait(1), compute(7), wait(0)});
  const tiers all = split_at(tree, 0, 1);
  EXPECT_EQ(all.work, 182);
  EXPECT_EQ(all.critical_path, 100);
}

TEST(tiers, help_first_children_wait_beside_the_chain) {
  const body child{invoke({{.does = leaf(1)}, {.does = leaf(1)}})};
  const auto tree_of = [&](auto make) {
    return record(body{make(0, child, -1, -1), make(0, child, -1, -1), make(0, child, -1, -1), wait(0),
                       make(0, leaf(1), -1, -1), wait(0)});
  };
  EXPECT_EQ(split_at(tree_of(fork), 0, 1).frames, 3);
  // Root, two children that have not begun, the third, its leaf.
  EXPECT_EQ(split_at(tree_of(fork_help_first), 0, 1).frames, 5);
}

TEST(tiers, charges_are_added_to_work_and_to_the_longest_chain) {
  const task_tree tree = two_levels();
  const tiers all = split_at(tree, 2, 2, {.scale = {2, 2}, .step_work = 3, .step_delay = 1000});
  // Six forks and three waits.
  EXPECT_EQ(all.work, 2 * 1133 + 9 * 3);
  // compute, fork, fork | fork, fork, compute | compute, wait, wait, compute: ten steps, six of them charged.
  EXPECT_EQ(all.critical_path, 2 * 532 + 6 * 3 + 10 * 1000);
}

TEST(tiers, step_times_can_differ_from_the_recording) {
  const task_tree tree = two_levels();
  std::vector<double> took(tree.ops.size(), 7);
  EXPECT_EQ(split_at(tree, 2, 2, {.took = &took}).work, 8 * 7);
}

TEST(tiers, sums_combine_consecutive_parts_and_keep_the_deepest_chain) {
  const task_tree tree = two_levels();
  tiers sum = split_at(tree, 2, 2);
  sum += split_at(tree, 3, 2);
  EXPECT_EQ(sum.work, 2 * 1133);
  EXPECT_EQ(sum.critical_path, 2 * 532);
  EXPECT_EQ(sum.tops, 6);
  EXPECT_EQ(sum.pooled, 4);
  EXPECT_EQ(sum.frames, 3);
}

TEST(bounds, are_the_papers_formulas) {
  const tiers of = split_at(two_levels(), 2, 2);
  const squad_count crew{.squads = 2, .workers = 2};
  EXPECT_EQ(plain_time_bound(of, 4), 1133 / 4.0 + 532);
  EXPECT_EQ(printed_time_bound(of, crew), 30 / 2.0 + 1103 / 4.0 + 803 / 2.0 + 532);
  EXPECT_EQ(squad_time_bound(of, crew), 30 / 2.0 + 1103 / 4.0 + 803 / 2.0 + 883);
  EXPECT_EQ(space_bound(of, crew), 4 * 3);
  EXPECT_EQ(space_bound(split_at(two_levels(), 3, 1), {.squads = 2, .workers = 1}), 4 * 3);
}

TEST(bounds, the_printed_one_is_too_low_for_a_single_subtree) {
  body wide;
  for (unsigned i = 0; i < 100; ++i) wide.push_back(fork(0, leaf(10)));
  wide.push_back(wait(0));
  const tiers of = split_at(record(body{fork(0, wide), wait(0)}), 2, 2);
  const squad_count crew{.squads = 4, .workers = 2};
  EXPECT_EQ(of.tops, 1);
  const double least = 1000 / 2.0;  // no squad of two does it faster
  EXPECT_EQ(printed_time_bound(of, crew), 1000 / 8.0 + 10 / 4.0 + 10);
  EXPECT_LT(printed_time_bound(of, crew), least);
  EXPECT_EQ(squad_time_bound(of, crew), 1000 / 8.0 + 10 / 4.0 + 510);
  EXPECT_GE(squad_time_bound(of, crew), least);
}

TEST(phases, are_stretches_between_which_no_group_is_open) {
  const task_tree tree =
      record(body{compute(1), compute(2), fork(0, leaf(3)), fork(1, leaf(4)), wait(0), compute(5), wait(1), compute(6),
                  invoke({{.does = leaf(7)}, {.does = leaf(8)}}), invoke({{.does = leaf(9)}, {.does = leaf(10)}})});
  const std::vector<phase> found = phases_of(tree, tree.roots[0]);
  ASSERT_EQ(found.size(), 5);
  std::vector<bool> forks;
  double work = 0;
  std::uint32_t ops = 0;
  std::vector<double> works;
  for (const phase& each : found) {
    forks.push_back(each.forks);
    works.push_back(split(tree, each.steps, {}, 1).work);
    work += works.back();
    ops += each.steps.ops;
  }
  EXPECT_EQ(forks, (std::vector<bool>{false, true, false, true, true}));
  EXPECT_EQ(works, (std::vector<double>{3, 12, 6, 15, 19}));
  EXPECT_EQ(work, 55);
  EXPECT_EQ(ops, root_of(tree).ops);
  EXPECT_EQ(iterations_of(tree, tree.roots[0]).size(), 3);
  EXPECT_EQ(iterations_of(tree, tree.roots[0]).back().group, found[4].group);
}

TEST(phases, of_the_last_root_called_run) {
  task_tree tree = record(std::vector<body>{leaf(1), leaf(2), leaf(3)});
  tree.roots[2].label = "root";
  EXPECT_EQ(main_root(tree), &tree.roots[1]);
  for (root& each : tree.roots) each.label = "root";
  EXPECT_EQ(main_root(tree), &tree.roots[2]);
  EXPECT_EQ(main_root({}), nullptr);
}

}  // namespace
}  // namespace jackdaw::analysis
