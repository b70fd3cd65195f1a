// Constrained work stealing played by hand: what its record says, and where children go because of it.
#include "sched/constrained.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sched/script.hpp"

namespace {

using jackdaw::sched::constrained;
using jackdaw::sched::destination;
using jackdaw::sched::item;
using jackdaw::sched::make_scheduler;
using jackdaw::sched::pool_id;
using jackdaw::sched::tier;
using jackdaw::sched::upper_group;
using jackdaw::sched::upper_task;
using jackdaw::sched::worker_id;
using jackdaw::sched::worker_range;
using jackdaw::test::script;

constexpr worker_range all_workers{0, 3}, no_workers{1, 0};
constexpr pool_id forks_of(worker_id worker) { return 2 * worker; }
constexpr pool_id inbox_of(worker_id worker) { return 2 * worker + 1; }

/// A region of a root on worker 0 that forks some children, four workers.
class play : public testing::Test {
 protected:
  explicit play(unsigned relaxed = 1) : scheduler(relaxed) {
    scheduler.start(engine);
    EXPECT_EQ(scheduler.root(root).as, tier::upper);
    scheduler.resume(0, root);
  }
  ~play() override { scheduler.end(0, root); }

  struct child {
    std::unique_ptr<upper_task> task;
    destination to;
  };
  std::unique_ptr<upper_group> open(worker_id self, upper_task& of) {
    auto made = std::make_unique<upper_group>(of, of.group, of.rest(), 4, 1);
    of.group = made.get();
    scheduler.open(self, *made);
    return made;
  }
  child fork(worker_id self, upper_group& group) {
    child made{std::make_unique<upper_task>(group.task, group.cut(1), group.children++), {}};
    made.to = scheduler.fork(self, group, *made.task);
    return made;
  }
  void run(worker_id self, child& what) {
    scheduler.resume(self, *what.task);
    engine.clock += 50'000;
    scheduler.end(self, *what.task);
  }
  void close(worker_id self, std::unique_ptr<upper_group> group) {
    EXPECT_EQ(scheduler.close(self, *group).where, destination::how::here);
    group->task.leave(*group);
  }
  /// An iteration whose children run on these workers; returns where they were sent.
  std::vector<pool_id> iterate(const std::vector<worker_id>& on) {
    auto group = open(0, root);
    std::vector<child> children;
    std::vector<pool_id> sent;
    for (std::size_t i = 0; i < on.size(); ++i) {
      children.push_back(fork(0, *group));
      EXPECT_EQ(children.back().to.where, destination::how::pool);
      sent.push_back(children.back().to.pool);
    }
    for (std::size_t i = 0; i < on.size(); ++i) run(on[i], children[i]);
    close(0, std::move(group));
    return sent;
  }
  /// The workers from which an idle worker would steal.
  worker_range scope_of(worker_id self) {
    EXPECT_EQ(scheduler.idle(self), item());
    return engine.scope(self);
  }

  script engine{4};
  constrained scheduler;
  upper_task root;
};

TEST_F(play, a_steal_is_sent_to_its_thief_from_then_on) {
  EXPECT_EQ(iterate({0, 0, 2, 3}), (std::vector<pool_id>{forks_of(0), forks_of(0), forks_of(0), forks_of(0)}));
  const std::vector<pool_id> recorded{forks_of(0), forks_of(0), inbox_of(2), inbox_of(3)};
  EXPECT_EQ(iterate({0, 0, 2, 3}), recorded);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(iterate({0, 0, 2, 3}), recorded);
}

TEST_F(play, while_relaxed_the_record_follows_other_steals_and_in_replays_it_does_not) {
  iterate({0, 0, 2, 3});
  iterate({1, 0, 0, 3});  // a new steal, and one that its victim took back
  const std::vector<pool_id> revised{inbox_of(1), forks_of(0), forks_of(0), inbox_of(3)};
  EXPECT_EQ(iterate({2, 2, 2, 2}), revised) << "a replay, all of whose tasks were rescued";
  EXPECT_EQ(iterate({1, 0, 0, 3}), revised);
}

TEST_F(play, what_was_not_stolen_follows_its_stolen_parent) {
  auto group = open(0, root);
  child stolen = fork(0, *group);
  scheduler.resume(2, *stolen.task);
  auto inner = open(2, *stolen.task);
  child kept = fork(2, *inner), taken = fork(2, *inner);
  EXPECT_EQ(kept.to.pool, forks_of(2));
  run(2, kept);
  run(3, taken);
  close(2, std::move(inner));
  scheduler.end(2, *stolen.task);
  close(0, std::move(group));

  group = open(0, root);
  child again = fork(0, *group);
  EXPECT_EQ(again.to.pool, inbox_of(2));
  EXPECT_EQ(again.to.as, tier::upper) << "a steal lies below it";
  scheduler.resume(1, *again.task);  // another one has taken it
  inner = open(1, *again.task);
  child first = fork(1, *inner), second = fork(1, *inner);
  EXPECT_EQ(first.to.pool, forks_of(1));
  EXPECT_EQ(second.to.pool, inbox_of(3));
  run(1, first);
  run(3, second);
  close(1, std::move(inner));
  scheduler.end(1, *again.task);
  close(0, std::move(group));
}

TEST_F(play, a_worker_waits_for_the_steals_that_it_is_due_and_then_steals_freely) {
  iterate({0, 0, 2, 3});
  EXPECT_EQ(scope_of(1), all_workers);
  auto group = open(0, root);
  EXPECT_EQ(scope_of(1), all_workers) << "nothing is due to it";
  EXPECT_EQ(scope_of(2), no_workers);
  std::vector<child> children;
  for (int i = 0; i < 3; ++i) children.push_back(fork(0, *group));
  EXPECT_EQ(scope_of(2), all_workers) << "its steal has come";
  EXPECT_EQ(scope_of(3), no_workers);
  children.push_back(fork(0, *group));
  EXPECT_EQ(scope_of(3), all_workers);
  for (child& each : children) run(0, each);
  close(0, std::move(group));
}

TEST_F(play, replays_steal_nothing_unless_another_root_runs_or_the_shape_has_changed) {
  iterate({0, 0, 2, 3});
  iterate({0, 0, 2, 3});
  auto group = open(0, root);
  EXPECT_EQ(scope_of(1), no_workers);
  EXPECT_GT(scheduler.patience(), 1e6);
  EXPECT_TRUE(engine.attempts.empty());

  upper_task second;
  EXPECT_EQ(scheduler.root(second).as, tier::lower);
  EXPECT_EQ(scope_of(1), all_workers);
  EXPECT_LT(scheduler.patience(), 1e6);
  scheduler.end(1, second);
  EXPECT_EQ(scope_of(1), no_workers);

  std::vector<child> children;
  for (int i = 0; i < 4; ++i) children.push_back(fork(0, *group));
  EXPECT_EQ(scope_of(1), no_workers);
  children.push_back(fork(0, *group));
  EXPECT_EQ(children.back().to.as, tier::lower) << "nothing is known of a fifth child";
  EXPECT_EQ(scope_of(1), all_workers);
  EXPECT_EQ(engine.roused.back(), all_workers);
  for (child& each : children) run(0, each);
  close(0, std::move(group));
  EXPECT_EQ(engine.decided.back(), constrained::decisions::restart);
}

TEST_F(play, a_group_that_outlives_the_one_that_began_the_iteration_belongs_to_it) {
  iterate({0, 2});
  iterate({0, 2});
  auto outer = open(0, root);
  auto inner = open(0, root);
  child first = fork(0, *outer);
  run(0, first);
  close(0, std::move(outer));
  child second = fork(0, *inner);
  EXPECT_EQ(second.to.pool, inbox_of(2));
  run(2, second);
  close(0, std::move(inner));
  EXPECT_EQ(engine.decided.back(), constrained::decisions::replay) << "as many children as recorded";
  EXPECT_EQ(iterate({0, 2}), (std::vector<pool_id>{forks_of(0), inbox_of(2)}));
}

TEST(constrained_names, say_how_many_iterations_are_relaxed) {
  EXPECT_EQ(make_scheduler("constrained")->name(), "constrained");
  EXPECT_EQ(make_scheduler("constrained:relws=5")->name(), "constrained");
  EXPECT_EQ(make_scheduler("constrained:relws=0")->name(), "constrained:relws=0");
  EXPECT_EQ(make_scheduler("constrained:relws=1000")->name(), "constrained:relws=1000");
  for (const char* wrong : {"constrained:", "constrained:x", "constrained:relws", "constrained:relws=", "constrained:5",
                            "constrained:relws=-1", "constrained:relws=+1", "constrained:relws=1.5",
                            "constrained:relws=05", "constrained:relws=1001", "constrained:relws=99999999999999999999",
                            "constrained:relws=1,", "constrained:relws= 1", "constrainedx"}) {
    EXPECT_EQ(make_scheduler(wrong), nullptr) << wrong;
  }
}

}  // namespace
