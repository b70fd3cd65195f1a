// The results of simulated workers' forks, joins and waits, on programs small enough to follow by hand.
#include <gtest/gtest.h>

#include <string>

#include "program.hpp"
#include "run_tree.hpp"

namespace jackdaw::sim {
namespace {

using test::compute;
using test::fork;
using test::fork_help_first;
using test::invoke;
using test::record;
using test::run_tree;
using test::story;
using test::wait;
using order = std::vector<std::uint32_t>;
using workers = std::vector<unsigned>;

constexpr double us = 1000;
const machine_model::costs cost = test::costly_machine().cost;

story alone(const test::body& program) {
  return run_tree(record(program), test::costly_machine(1, 1), {.scheduler = "random"});
}
story two(const test::body& program) {
  return run_tree(record(program), test::costly_machine(1, 2), {.scheduler = "random"});
}

// ---- one worker ---------------------------------------------------------------------------------------------------

TEST(one_worker, an_invoke_costs_a_fork_and_a_join_for_each_branch_but_the_first) {
  const story s =
      alone({compute(7), invoke({{.does = {compute(100)}}, {.does = {compute(200)}}, {.does = {compute(300)}}}),
             compute(11)});
  EXPECT_EQ(s.order, (order{0, 1, 2, 3, 4}));
  EXPECT_EQ(s.time, cost.steal_local + 618 + 2 * cost.spawn + 2 * cost.join);
  EXPECT_EQ(s.work.computing, 618);
  EXPECT_EQ(s.work.overhead, cost.steal_local + 2 * cost.spawn + 2 * cost.join);
  EXPECT_EQ(s.work.forks, 3);
  EXPECT_EQ(s.work.suspensions, 0);
}

TEST(one_worker, a_work_first_child_runs_at_once_and_joins_at_its_end) {
  const story s =
      alone({fork(0, {compute(100)}), compute(10), fork(0, {compute(200)}), compute(20), wait(0), compute(30)});
  EXPECT_EQ(s.order, (order{0, 1, 2, 3, 4}));
  EXPECT_EQ(s.ended[0], cost.steal_local + cost.spawn + 100);
  EXPECT_EQ(s.time, cost.steal_local + 360 + 2 * cost.spawn + 2 * cost.join);
  EXPECT_EQ(s.work.forks, 2);
}

TEST(one_worker, help_first_children_run_at_the_wait_newest_first) {
  const story s = alone({fork_help_first(0, {compute(100)}), compute(10), fork_help_first(0, {compute(200)}),
                         compute(20), wait(0), compute(30)});
  EXPECT_EQ(s.order, (order{1, 3, 2, 0, 4}));
  EXPECT_EQ(s.time, cost.steal_local + 360 + 2 * cost.spawn + 2 * cost.join);
  EXPECT_EQ(s.work.suspensions, 0);
}

TEST(one_worker, nested_and_reused_groups) {
  const test::body inner{fork(0, {compute(1)}), wait(0), fork(0, {compute(2)}), compute(4), wait(0)};
  const story s = alone({fork(0, inner), wait(0), fork(0, inner), fork(0, inner), wait(0)});
  EXPECT_EQ(s.order, (order{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(s.time, cost.steal_local + 21 + 9 * (cost.spawn + cost.join));
}

TEST(one_worker, groups_open_at_the_same_time) {
  const story s = alone(
      {fork(0, {compute(1)}), fork(1, {compute(2)}), fork(0, {compute(4)}), wait(0), compute(8), wait(1), compute(16)});
  EXPECT_EQ(s.order, (order{0, 1, 2, 3, 4}));
  EXPECT_EQ(s.time, cost.steal_local + 31 + 3 * (cost.spawn + cost.join));
}

TEST(one_worker, a_child_of_another_group_on_top_makes_a_wait_suspend) {
  // It leaves its stack, runs both children like any worker that finds them, and the end of the second one resumes it.
  const story s = alone({fork_help_first(0, {compute(100)}), fork_help_first(1, {compute(200)}), wait(0), compute(1),
                         wait(1), compute(2)});
  EXPECT_EQ(s.order, (order{1, 0, 2, 3}));
  EXPECT_EQ(s.work.suspensions, 1);
  EXPECT_EQ(s.time, cost.steal_local + 303 + 2 * cost.spawn + 4 * cost.suspend);
}

TEST(one_worker, a_child_that_suspends_leaves_its_parent_behind) {
  // The child's own children lie above its parent, which is taken last, after the child has ended.
  const test::body child{
      fork_help_first(0, {compute(100)}), fork_help_first(1, {compute(200)}), wait(0), compute(1), wait(1), compute(2)};
  const story s = alone({fork(0, child), compute(10), wait(0), compute(20)});
  EXPECT_EQ(s.order, (order{1, 0, 2, 3, 4, 5}));
  EXPECT_EQ(s.work.suspensions, 1);
  EXPECT_EQ(s.time, cost.steal_local + 333 + 3 * cost.spawn + 5 * cost.suspend);
}

TEST(one_worker, roots_run_one_after_another) {
  const std::vector<test::body> roots{{compute(10)}, {fork(0, {compute(20)}), wait(0)}, {compute(30)}};
  const story s = run_tree(record(roots), test::costly_machine(1, 1), {.scheduler = "random"});
  EXPECT_EQ(s.order, (order{0, 1, 2}));
  ASSERT_EQ(s.roots_ended.size(), 3);
  EXPECT_EQ(s.roots_began, (std::vector<double>{0, s.roots_ended[0], s.roots_ended[1]}));
  EXPECT_EQ(s.roots_ended[0], cost.steal_local + 10);
  EXPECT_EQ(s.time, s.roots_ended[2]);
}

TEST(one_worker, a_recording_of_a_core_twice_as_fast_takes_twice_as_long) {
  trace::task_tree tree = record(test::body{compute(100)});
  tree.compute_rate = 2;
  EXPECT_EQ(run_tree(tree, test::costly_machine(1, 1), {}).time, cost.steal_local + 200);
}

TEST(one_worker, work_in_vectors_takes_the_time_of_the_vector_rate) {
  trace::task_tree tree = record(test::body{compute(100)});
  tree.ops[0].vector = true;
  machine_model machine = test::costly_machine(1, 1);
  machine.compute_rate = 0.1;
  machine.vector_rate = 0.5;
  EXPECT_EQ(run_tree(tree, machine, {}).time, cost.steal_local + 200);
  tree.vector_rate = 2;
  EXPECT_EQ(run_tree(tree, machine, {}).time, cost.steal_local + 400);
  tree.ops[0].vector = false;
  EXPECT_EQ(run_tree(tree, machine, {}).time, cost.steal_local + 1000);
}

TEST(one_worker, instructions_are_those_of_the_recording_on_every_machine) {
  trace::task_tree tree = record(test::body{compute(100), fork(0, {compute(200)}), wait(0)});
  tree.compute_rate = 1.5;
  machine_model slow = test::costly_machine(1, 1);
  slow.compute_rate = 0.1;
  const double assumed = 300 * 1.5 * trace::assumed_instructions;
  EXPECT_EQ(run_tree(tree, slow, {}).work.instructions, assumed);
  EXPECT_EQ(run_tree(tree, test::costly_machine(1, 1), {}).work.instructions, assumed);
  tree.instructions = 3;
  EXPECT_EQ(run_tree(tree, slow, {}).work.instructions, 300 * 1.5 * 3);
}

// ---- hardware threads ---------------------------------------------------------------------------------------------

/// One core with two threads that together do 1.25 times as much as one.
machine_model two_threads() {
  machine_model machine = test::costly_machine(1, 1);
  machine.threads_per_core = 2;
  machine.smt_rate = 1.25;
  return machine;
}

TEST(hardware_threads, share_what_their_core_computes) {
  const trace::task_tree tree =
      record(test::body{invoke({{.does = {compute(100 * us)}}, {.does = {compute(100 * us)}}})});
  const story alone = run_tree(tree, two_threads(), {.workers = 1});
  const story both = run_tree(tree, two_threads(), {.workers = 2});
  EXPECT_NEAR(alone.time, 200 * us, us);
  EXPECT_NEAR(both.time, 200 * us / 1.25, us);
  EXPECT_EQ(both.worker, (workers{0, 1}));
  EXPECT_EQ(both.work.computing, 200 * us) << "time alone";
}

TEST(hardware_threads, one_computes_at_full_speed_once_the_other_has_ended) {
  const trace::task_tree tree =
      record(test::body{invoke({{.does = {compute(100 * us)}}, {.does = {compute(25 * us)}}})});
  // Both at 0.625 until the shorter one ends at 40 us; then 75 us alone.
  EXPECT_NEAR(run_tree(tree, two_threads(), {.workers = 2}).time, 115 * us, us);
}

TEST(hardware_threads, share_their_cores_cache_and_count_their_own_misses) {
  const auto reads = [](std::uint64_t address) {
    return trace::access{.address = address, .length = 4096, .stride = 0, .rows = 1, .write = false};
  };
  const trace::task_tree tree =
      record(test::body{compute(us, {reads(0)}),
                        invoke({{.does = {compute(50 * us, {reads(0)})}}, {.does = {compute(50 * us, {reads(0)})}}})});
  EXPECT_EQ(run_tree(tree, two_threads(), {.workers = 2}).data.private_misses, 64u);
}

/// Worker 0 touches memory for node 1; worker 1, on the same core, for none.
class touching final : public sched::scheduler {
 public:
  std::string_view name() const noexcept override { return "touching"; }
  void start(const sched::engine& on) override {
    on_ = &on.run;
    on.data.touch_to(0, 1);
    on.data.touch_to(1, sched::none);
  }
  sched::destination root(sched::upper_task&) override {
    return {.where = sched::destination::how::mailbox, .worker = 0};
  }
  sched::item idle(sched::worker_id self) override { return on_->collect(self); }

 private:
  sched::task_runner* on_ = nullptr;
};

TEST(hardware_threads, each_touch_memory_for_a_node_of_their_own) {
  machine_model machine = test::costly_machine(2, 1);
  machine.threads_per_core = 2;
  machine.smt_rate = 1.25;
  const trace::access read{.address = 0, .length = 4096, .stride = 0, .rows = 1, .write = false};
  const trace::task_tree tree = record(test::body{compute(us, {read})});
  touching scheduler;
  const story s = run_tree(tree, machine, scheduler, {.workers = 4});
  EXPECT_EQ(s.data.from_node, (std::vector<std::uint64_t>{0, 4096}));
}

TEST(hardware_threads, more_workers_than_these_are_refused) {
  const trace::task_tree tree = record(test::body{compute(1)});
  EXPECT_THROW(run_tree(tree, two_threads(), {.workers = 3}), jackdaw::error);
}

// ---- two workers --------------------------------------------------------------------------------------------------

TEST(two_workers, the_last_branch_of_an_invoke_is_stolen_first) {
  std::vector<test::branch> branches(4, {.does = {compute(10 * us)}});
  const story s = two({invoke(branches), compute(1)});
  // The thief begins slightly later, so it ends the last branch and continues after the invoke.
  EXPECT_EQ(s.worker, (workers{0, 0, 1, 1, 1}));
  EXPECT_EQ(s.order, (order{0, 3, 1, 2, 4}));
  EXPECT_EQ(s.work.suspensions, 1);
  EXPECT_EQ(s.work.steals, (std::vector<std::uint64_t>{0, 2}));
  EXPECT_LT(s.time, 20 * us + 1000);
}

TEST(two_workers, nested_invokes_lose_their_oldest_branch) {
  const test::branch leaf{.does = {compute(10 * us)}};
  const story s = two({invoke({{.does = {invoke({leaf, leaf})}}, {.does = {invoke({leaf, leaf})}}})});
  EXPECT_EQ(s.worker, (workers{0, 0, 1, 1}));
  EXPECT_EQ(s.work.steals[1], 1);
}

TEST(two_workers, the_continuation_of_a_work_first_fork_is_stolen) {
  const story longer = two({compute(us), fork(0, {compute(20 * us)}), compute(5 * us), wait(0), compute(us)});
  EXPECT_EQ(longer.worker, (workers{0, 0, 1, 0})) << "the child's worker goes on, for it ends last";
  EXPECT_EQ(longer.work.suspensions, 1);
  const story shorter = two({compute(us), fork(0, {compute(5 * us)}), compute(20 * us), wait(0), compute(us)});
  EXPECT_EQ(shorter.worker, (workers{0, 0, 1, 1}));
  EXPECT_EQ(shorter.work.suspensions, 0);
}

TEST(two_workers, a_help_first_child_is_stolen_and_its_parent_continues) {
  const story s = two({compute(us), fork_help_first(0, {compute(20 * us)}), compute(5 * us), wait(0), compute(us)});
  EXPECT_EQ(s.worker, (workers{0, 1, 0, 1}));
  EXPECT_EQ(s.work.suspensions, 1);
  const story three = two({fork_help_first(0, {compute(20 * us)}), fork_help_first(0, {compute(2 * us)}),
                           fork_help_first(0, {compute(3 * us)}), compute(us), wait(0)});
  EXPECT_EQ(three.worker, (workers{1, 0, 0, 0})) << "the oldest one is stolen";
  EXPECT_EQ(three.order, (order{3, 2, 1, 0}));
}

TEST(two_workers, a_suspended_childs_parent_continues_without_it) {
  // The thief has taken the child's branch when the child waits for it, so the first worker takes the parent's rest.
  const test::body child{invoke({{.does = {compute(30 * us)}}, {.does = {compute(10 * us)}}})};
  const story stolen_parent = two({fork(0, child), compute(50 * us), wait(0)});
  EXPECT_EQ(stolen_parent.worker, (workers{0, 0, 1})) << "the parent is the oldest entry";
  // With its parent gone already, the child's branch is what a thief finds, and the child waits for that.
  const test::body deeper{invoke({{.does = {compute(30 * us)}}, {.does = {compute(100 * us)}}}), compute(us)};
  const story s = two({fork(0, deeper), compute(5 * us), wait(0), compute(us)});
  EXPECT_EQ(s.worker, (workers{0, 1, 1, 1, 1}));
  EXPECT_EQ(s.work.suspensions, 2);
  EXPECT_LT(s.time, 110 * us);
}

TEST(two_workers, several_groups_open_at_the_same_time_are_waited_for_each_on_its_own) {
  const story s = two({fork_help_first(0, {compute(50 * us)}), fork_help_first(1, {compute(5 * us)}), compute(us),
                       wait(1), compute(us), wait(0), compute(us)});
  EXPECT_EQ(s.worker, (workers{1, 0, 0, 0, 1}));
  EXPECT_LT(s.ended[3], 10 * us) << "the wait for one group is none for the other";
  EXPECT_GT(s.ended[4], 50 * us);
}

TEST(two_workers, an_idle_one_sleeps_and_is_woken_by_a_fork) {
  const story s = two({compute(1000 * us), invoke({{.does = {compute(100 * us)}}, {.does = {compute(100 * us)}}})});
  EXPECT_EQ(s.worker, (workers{0, 0, 1}));
  EXPECT_EQ(s.work.sleeps, 1);
  EXPECT_GE(s.ended[2], 1000 * us + cost.wake + cost.steal_local + 100 * us);
  EXPECT_LE(s.ended[2], 1001 * us + cost.wake + cost.steal_local + 100 * us);
}

// ---- the upper tier -----------------------------------------------------------------------------------------------

TEST(upper_tier, a_task_in_the_mailbox_goes_before_the_rest_of_what_runs) {
  // Three workers. The second one owns the child with two parts, whose group's end brings it back to its owner by mail
  // while that is in a long lower task.
  test::body rows;
  for (int i = 0; i < 20; ++i) rows.push_back(fork(0, {compute(20 * us)}));
  rows.push_back(wait(0));
  const test::body search{fork(0, {compute(100 * us)}, 1, 2), fork(0, {compute(10 * us)}, 1, 2), wait(0), compute(us)};
  const story s = run_tree(record(test::body{fork(0, {compute(us)}, 1, 6), fork(0, search, 2, 6), fork(0, rows, 1, 6),
                                             fork(0, {compute(us)}, 2, 6), wait(0)}),
                           test::costly_machine(1, 3), {.scheduler = "adws:no-steal"});
  // Leaves: 0; 1, 2, 3 of the search; 4 to 23 the rows; 24.
  EXPECT_EQ(s.worker[0], 2);
  EXPECT_EQ(s.worker[1], 2);
  EXPECT_EQ(s.worker[2], 1);
  EXPECT_EQ(s.worker[3], 1);
  EXPECT_EQ(s.worker[24], 0);
  for (std::size_t i = 4; i < 24; ++i) EXPECT_EQ(s.worker[i], 1);
  EXPECT_GT(s.ended[3], s.ended[1]);
  EXPECT_LT(s.ended[3], s.ended[1] + 25 * us) << "it did not wait for all of the rows";
  EXPECT_GT(s.ended[23], 400 * us);
}

TEST(upper_tier, several_roots_each_get_a_search) {
  const test::body halves{invoke({{.does = {compute(50 * us)}}, {.does = {compute(50 * us)}}})};
  const story s = run_tree(record(std::vector<test::body>{halves, halves, halves}), test::costly_machine(1, 2),
                           {.scheduler = "adws:no-steal"});
  EXPECT_EQ(s.worker, (workers{1, 0, 1, 0, 1, 0}));
  EXPECT_LT(s.time, 160 * us);
}

TEST(upper_tier, a_task_without_work_runs_somewhere) {
  const story s = run_tree(record(test::body{fork(0, {compute(us)}, 0, 4), fork(0, {compute(us)}, 4, 4),
                                             fork(0, {compute(us)}, 0, 4), wait(0)}),
                           test::costly_machine(1, 4), {.scheduler = "adws:no-steal"});
  EXPECT_EQ(s.worker[0], 3);
  EXPECT_EQ(s.work.leaves, 3);
}

// ---- refused arguments --------------------------------------------------------------------------------------------

TEST(simulated_machine, has_no_more_workers_than_cores) {
  const trace::task_tree tree = record(test::body{compute(1)});
  EXPECT_THROW(run_tree(tree, test::costly_machine(2, 4), {.workers = 9}), jackdaw::error);
  EXPECT_EQ(run_tree(tree, test::costly_machine(2, 4), {.workers = 8}).work.leaves, 1);
}

}  // namespace
}  // namespace jackdaw::sim
