// Workers that use the same thing at the same time, where what comes out can be worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "program.hpp"
#include "run_tree.hpp"

namespace jackdaw::sim {
namespace {

constexpr double of_a_leaf = 1e6;  // ns: longer than all that is looked at here
constexpr unsigned helpers = 12;

/// Its workers do what a case needs, and never rescue anything.
class plain_scheduler : public sched::scheduler {
 public:
  void start(const sched::engine& on) override { on_ = &on.run; }
  double patience() const noexcept override { return std::numeric_limits<double>::infinity(); }

 protected:
  sched::task_runner* on_ = nullptr;
};

/// All workers steal from worker 0.
class one_victim final : public plain_scheduler {
 public:
  std::string_view name() const noexcept override { return "one_victim"; }
  sched::destination root(sched::upper_task&) override {
    return {.where = sched::destination::how::mailbox, .worker = 0};
  }
  sched::item idle(sched::worker_id self) override {
    if (self != 0) return on_->steal(self, 0, sched::deque_kind::local);
    const sched::item posted = on_->collect(self);
    return posted ? posted : on_->pop(self, sched::deque_kind::local);
  }
};

/// A root in the upper tier whose children are placed by worker 0.
class placing : public plain_scheduler {
 public:
  sched::destination root(sched::upper_task&) override {
    return {.where = sched::destination::how::mailbox, .worker = 0, .as = sched::tier::upper};
  }
};

/// Each child goes to the mailbox of a worker of its own.
class mailing final : public placing {
 public:
  std::string_view name() const noexcept override { return "mailing"; }
  sched::destination fork(sched::worker_id, sched::upper_group&, sched::upper_task& child) override {
    return {.where = sched::destination::how::mailbox, .worker = child.index + 1};
  }
  sched::item idle(sched::worker_id self) override { return on_->collect(self); }
};

/// The children are in a pool of worker 0's, from which others take when all are there.
class pooling final : public placing {
 public:
  std::string_view name() const noexcept override { return "pooling"; }
  void start(const sched::engine& on) override {
    plain_scheduler::start(on);
    pool_ = on_->make_pool(0, sched::access::scope);
  }
  sched::destination fork(sched::worker_id, sched::upper_group&, sched::upper_task&) override {
    return {.where = sched::destination::how::pool, .pool = pool_};
  }
  void wait(sched::worker_id, sched::upper_group&, sched::tier) override { open_ = true; }
  sched::item idle(sched::worker_id self) override {
    if (const sched::item posted = on_->collect(self)) return posted;
    if (!open_ || self == 0) return {};
    return on_->take(self, pool_, sched::pool_end::front);
  }

 private:
  bool open_ = false;
  sched::pool_id pool_ = 0;
};

/// A leaf of `first` ns, then `children` leaves, forked by an invoke or by a group.
trace::task_tree tree_of(double first, unsigned children, bool invoked) {
  test::body root{test::compute(first)};
  std::vector<test::branch> branches;
  for (unsigned i = 0; i < children; ++i) branches.push_back({1, {test::compute(of_a_leaf)}});
  if (invoked) {
    root.push_back(test::invoke(branches));
  } else {
    for (const test::branch& each : branches) root.push_back(test::fork(0, each.does, 1, children));
    root.push_back(test::wait(0));
  }
  return test::record(root);
}

/// When the leaves from number `from` on began, in the order of time.
std::vector<double> beginnings(const test::story& of, unsigned from) {
  std::vector<double> began;
  for (std::size_t leaf = from; leaf < of.ended.size(); ++leaf) began.push_back(of.ended[leaf] - of_a_leaf);
  std::sort(began.begin(), began.end());
  return began;
}

TEST(contention, thieves_at_one_victim_have_the_deque_one_after_another) {
  for (unsigned thieves = 1; thieves <= helpers; ++thieves) {
    const machine_model machine = test::costly_machine(1, thieves + 1);
    one_victim scheduler;
    const test::story s = test::run_tree(tree_of(1000, thieves + 1, true), machine, scheduler, {});
    const std::vector<double> began = beginnings(s, 2);  // those that the victim does not keep
    ASSERT_EQ(began.size(), thieves);
    // A steal takes 200 ns, in the last 150 of which it keeps other thieves from the deque.
    for (unsigned k = 0; k < thieves; ++k) EXPECT_EQ(began[k], 1000 + 200 + k * 150.0) << k << " of " << thieves;
  }
}

TEST(turn, comes_at_once_to_whoever_is_done_before_the_next_one) {
  turn lock;
  EXPECT_EQ(lock.take(0, 0, 100, 10), 0) << "from 90 to 100";
  EXPECT_EQ(lock.take(1, 20, 30, 10), 0);
  EXPECT_EQ(lock.take(1, 75, 90, 10), 0);
  EXPECT_EQ(lock.take(2, 80, 95, 10), 15) << "from 100 to 110";
  EXPECT_EQ(lock.take(2, 120, 500, 10), 0) << "it had it last";
  EXPECT_EQ(lock.take(3, 121, 131, 10), 0);
}

TEST(contention, one_turn_at_a_deque_may_be_given) {
  machine_model machine = test::costly_machine(1, 3);
  machine.cost.turn_local = 100;
  one_victim scheduler;
  const std::vector<double> began = beginnings(test::run_tree(tree_of(1000, 3, true), machine, scheduler, {}), 2);
  EXPECT_EQ(began, (std::vector<double>{1200, 1300}));
}

TEST(contention, sleepers_are_woken_one_after_another) {
  for (const double call : {0.0, 1500.0}) {
    machine_model machine = test::costly_machine(1, helpers + 1);
    machine.cost.wake_call = call;
    machine.cost.wake = 100'000;  // so that all have been called before the first one runs and wakes others
    mailing scheduler;
    const test::story s = test::run_tree(tree_of(of_a_leaf, helpers, false), machine, scheduler, {});
    EXPECT_GE(s.work.sleeps, helpers);
    const std::vector<double> began = beginnings(s, 1);
    // Each child is placed, and then its worker is woken.
    for (unsigned k = 0; k < helpers; ++k) {
      EXPECT_EQ(began[k], of_a_leaf + (k + 1) * machine.cost.place + k * call + machine.cost.wake) << k;
    }
  }
}

TEST(contention, a_waker_is_charged_a_third_of_a_wake_up_if_nothing_is_known) {
  machine_model machine = test::costly_machine(1, 3);
  machine.cost.wake = 6000;
  mailing scheduler;
  const std::vector<double> began = beginnings(test::run_tree(tree_of(of_a_leaf, 2, false), machine, scheduler, {}), 1);
  EXPECT_EQ(began[1] - began[0], machine.cost.place + 2000);
}

TEST(contention, a_pool_serves_one_worker_at_a_time) {
  const machine_model machine = test::costly_machine(1, helpers + 1);
  pooling scheduler;
  const test::story s = test::run_tree(tree_of(4000, helpers, false), machine, scheduler, {});
  const double all_there = 4000 + helpers * machine.cost.place;
  const std::vector<double> began = beginnings(s, 1);
  // Workers that find nothing look every 40 ns, and one of their looks is at that moment. The pool serves one of them
  // every 150 ns.
  for (unsigned k = 0; k < helpers; ++k) EXPECT_EQ(began[k], all_there + 200 + k * 150.0) << k;
}

/// Nothing that all workers of ADWS share is used when a search opens, activates and closes ranges.
TEST(contention, searches_take_no_turns) {
  const trace::task_tree tree = tree_of(0, 1024, true);
  machine_model machine = test::costly_machine(4, 16);
  machine.cost.steal_local = machine.cost.steal_remote = 0;
  const auto time_with = [&](double turn) {
    machine.cost.turn_local = machine.cost.turn_remote = turn;
    return test::run_tree(tree, machine, {.scheduler = "adws:no-steal"}).time;
  };
  EXPECT_EQ(time_with(0), time_with(1));
}

}  // namespace
}  // namespace jackdaw::sim
