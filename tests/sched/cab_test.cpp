#include "sched/cab.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "sched/script.hpp"

namespace {

using namespace jackdaw::sched;
using jackdaw::test::script;
using where = destination::how;

/// A root on worker 0 of two squads of four, that opens a group.
class played_cab {
 public:
  explicit played_cab(cab& under, std::uint32_t workers = 8) : engine(workers), scheduler(under) {
    scheduler.start(engine);
    scheduler.root(root);
    scheduler.resume(0, root);
    top = &open(0, root);
  }

  upper_group& open(worker_id self, upper_task& task) {
    groups.push_back(std::make_unique<upper_group>(task, task.group, task.rest(), -1, 1));
    task.group = groups.back().get();
    scheduler.open(self, *groups.back());
    return *groups.back();
  }
  upper_task& child_of(upper_group& group, bool inter) {
    tasks.push_back(std::make_unique<upper_task>(group.task, group.cut(-1), group.children++));
    tasks.back()->inter = inter;
    return *tasks.back();
  }
  destination fork(worker_id self, upper_group& group, bool inter) {
    return scheduler.fork(self, group, child_of(group, inter));
  }
  /// A marked child of the root that worker `self` has begun.
  upper_task& begun(worker_id self) {
    upper_task& made = child_of(*top, true);
    scheduler.fork(0, *top, made);
    scheduler.resume(self, made);
    return made;
  }
  bool busy(worker_id head) const { return !scheduler.may_take(head, 0); }

  script engine;
  cab& scheduler;
  upper_task root;
  upper_group* top = nullptr;
  std::vector<std::unique_ptr<upper_group>> groups;
  std::vector<std::unique_ptr<upper_task>> tasks;
};

TEST(cab_marks, are_placed_whatever_the_level_and_plain_children_are_not) {
  for (const unsigned level : {0u, 1u, 5u}) {
    cab scheduler({}, level);
    played_cab it(scheduler);
    const destination marked = it.fork(0, *it.top, true);
    EXPECT_EQ(marked.where, where::pool);
    EXPECT_EQ(marked.pool, 0u);
    EXPECT_EQ(marked.as, tier::upper);
    EXPECT_FALSE(it.scheduler.tops_subtree(*it.tasks.back()));
    EXPECT_EQ(it.engine.decided, (std::vector{cab::decisions::boundary, cab::decisions::marked}));
    // In the second squad's pool if that is where the fork is.
    EXPECT_EQ(it.fork(5, *it.top, true).pool, 1u);
    const destination plain = it.fork(0, *it.top, false);
    EXPECT_EQ(plain.where, where::here);
    EXPECT_EQ(plain.as, tier::lower);
    EXPECT_FALSE(it.busy(0)) << "the root keeps no squad busy";
    EXPECT_TRUE(scheduler.places_below(*it.top));
    EXPECT_EQ(scheduler.close(0, *it.top).as, tier::upper);
  }
}

TEST(cab_marks, make_a_leaf_of_a_task_that_forks_plainly_first) {
  cab scheduler({}, 0);
  played_cab it(scheduler);
  upper_task& leaf = it.begun(4);
  EXPECT_FALSE(it.busy(4));
  upper_group& group = it.open(4, leaf);
  EXPECT_EQ(it.fork(4, group, false).as, tier::lower);
  EXPECT_TRUE(it.busy(4));
  EXPECT_FALSE(it.busy(0));
  EXPECT_FALSE(scheduler.places_below(group));
  EXPECT_EQ(scheduler.close(6, group).as, tier::lower);
  leaf.leave(group);
  EXPECT_TRUE(it.busy(4));
  scheduler.end(6, leaf);
  EXPECT_FALSE(it.busy(4));
  EXPECT_EQ(it.engine.woken, std::vector<worker_id>{4});
}

TEST(cab_marks, make_no_leaf_of_a_task_that_marks_first) {
  cab scheduler({}, 0);
  played_cab it(scheduler);
  upper_task& inner = it.begun(0);
  upper_group& group = it.open(0, inner);
  it.fork(0, group, true);
  EXPECT_EQ(it.fork(0, group, false).as, tier::lower);
  EXPECT_TRUE(scheduler.places_below(group));
  EXPECT_FALSE(it.busy(0));
  // It goes on where its last child ended, in the upper tier, and what it forks plainly there keeps nobody busy.
  EXPECT_EQ(scheduler.close(6, group).as, tier::upper);
  inner.leave(group);
  upper_group& next = it.open(6, inner);
  EXPECT_EQ(it.fork(6, next, false).as, tier::lower);
  EXPECT_FALSE(it.busy(4));
  EXPECT_EQ(it.fork(6, next, true).pool, 1u);
}

TEST(cab_marks, free_the_squad_of_a_task_that_was_a_leaf_by_its_level) {
  cab scheduler({}, 2);
  played_cab it(scheduler);
  upper_task& by_level = it.child_of(*it.top, false);
  scheduler.fork(0, *it.top, by_level);
  EXPECT_TRUE(it.scheduler.tops_subtree(by_level));
  scheduler.resume(4, by_level);
  EXPECT_TRUE(it.busy(4));
  upper_group& group = it.open(4, by_level);
  it.fork(4, group, true);
  EXPECT_FALSE(it.scheduler.tops_subtree(by_level));
  EXPECT_FALSE(it.busy(4));
  scheduler.end(4, by_level);
}

TEST(cab_marks, are_not_taken_by_a_rule_that_held_before_them) {
  // Level 0 is stolen plainly: any worker looks into any pool.
  cab scheduler({}, 0);
  played_cab it(scheduler);
  const item marked(42);
  const auto mark_now = [&] {
    const destination to = it.fork(0, *it.top, true);
    it.engine.put(to.pool, to.end, marked, to.order);
    it.engine.before_take = nullptr;
  };
  it.engine.before_take = mark_now;
  EXPECT_FALSE(scheduler.idle(1)) << "a worker that is no head";
  EXPECT_EQ(scheduler.idle(0), marked);

  cab other({}, 0);
  played_cab that(other);
  that.engine.before_take = [&] {
    that.engine.before_take = nullptr;
    const destination to = that.fork(0, *that.top, true);
    that.engine.put(to.pool, to.end, marked, to.order);
  };
  EXPECT_EQ(other.idle(0), marked) << "a head may have it";
}

TEST(cab_marks, are_kept_for_the_region) {
  cab scheduler({});
  played_cab it(scheduler);
  EXPECT_EQ(it.engine.decided, (std::vector{cab::decisions::profile}));
  it.fork(0, *it.top, true);
  scheduler.close(0, *it.top);
  it.root.leave(*it.top);
  upper_group& next = it.open(0, it.root);
  EXPECT_EQ(it.engine.decided, (std::vector{cab::decisions::profile, cab::decisions::marked, cab::decisions::marked}));
  EXPECT_EQ(it.fork(0, next, false).where, where::here);
}

TEST(cab_marks, mean_nothing_on_one_socket) {
  cab scheduler({}, 0);
  played_cab it(scheduler, 4);
  EXPECT_EQ(it.fork(0, *it.top, true).where, where::here);
  EXPECT_FALSE(scheduler.places_below(*it.top));
  EXPECT_EQ(it.engine.decided, (std::vector{cab::decisions::boundary}));
}

}  // namespace
