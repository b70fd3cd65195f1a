#include "sched/adws.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <vector>

#include "sched/script.hpp"

namespace {

using jackdaw::sched::adws;
using jackdaw::sched::deque_kind;
using jackdaw::sched::destination;
using jackdaw::sched::span;
using jackdaw::sched::tier;
using jackdaw::sched::upper_group;
using jackdaw::sched::upper_task;
using jackdaw::sched::worker_id;
using jackdaw::sched::worker_range;
using jackdaw::test::script;

/// What became of a child.
struct sent {
  std::unique_ptr<upper_task> task;
  destination to;
};

/// A search played by hand: the root runs on worker 0.
class search {
 public:
  explicit search(unsigned workers, adws::stealing mode = adws::stealing::on, unsigned nodes = 1)
      : engine(workers, nodes), scheduler(mode) {
    scheduler.start(engine);
    const destination where = scheduler.root(root);
    EXPECT_EQ(where.where, destination::how::mailbox);
    EXPECT_EQ(where.worker, 0u);
    EXPECT_EQ(where.as, tier::upper);
    scheduler.resume(0, root);
  }

  std::unique_ptr<upper_group> open(worker_id self, upper_task& of, double total) {
    auto made = std::make_unique<upper_group>(of, of.group, of.rest(), total, 1);
    of.group = made.get();
    scheduler.open(self, *made);
    return made;
  }
  sent fork(worker_id self, upper_group& group, double work) {
    sent result{std::make_unique<upper_task>(group.task, group.rest.split(group.share(work)), group.children++), {}};
    result.to = scheduler.fork(self, group, *result.task);
    return result;
  }
  destination close(worker_id self, std::unique_ptr<upper_group> group) {
    const destination where = scheduler.close(self, *group);
    group->task.group = group->around;
    return where;
  }

  script engine;
  adws scheduler;
  upper_task root;
};

/// A search on eight workers whose root has forked one task for workers 4 to 7, who has opened a group, and one for
/// workers 0 to 3.
struct nested : search {
  explicit nested(double total) : search(8) {
    scheduler.resume(4, *left.task);
    inner = open(4, *left.task, total);
  }
  /// Worker 4 forks that many children with work 1; returns the first.
  sent fork_inner(int count) {
    sent first = fork(4, *inner, 1);
    for (int i = 1; i < count; ++i) {
      more.push_back(fork(4, *inner, 1));
    }
    return first;
  }

  std::unique_ptr<upper_group> outer = open(0, root, 2);
  sent left = fork(0, *outer, 1);
  sent right = fork(0, *outer, 1);
  std::unique_ptr<upper_group> inner;
  std::vector<sent> more;
};

TEST(adws, sends_children_from_right_to_left) {
  // Figure 7: eight workers, two equal children.
  search play(8);
  auto group = play.open(0, play.root, 2);
  const sent left = play.fork(0, *group, 1);
  EXPECT_EQ(left.to.where, destination::how::mailbox);
  EXPECT_EQ(left.to.worker, 4u);
  EXPECT_EQ(left.to.as, tier::upper);
  const sent right = play.fork(0, *group, 1);
  EXPECT_EQ(right.to.where, destination::how::here);
  EXPECT_EQ(right.to.as, tier::upper);
}

TEST(adws, hands_a_child_of_one_worker_to_its_migration_queue) {
  search play(4);
  auto group = play.open(0, play.root, 4);
  for (const worker_id owner : {3u, 2u, 1u}) {
    const sent child = play.fork(0, *group, 1);
    EXPECT_EQ(child.to.where, destination::how::pool);
    EXPECT_EQ(child.to.worker, owner);
    EXPECT_EQ(child.to.as, tier::lower);
  }
  EXPECT_EQ(play.fork(0, *group, 1).to.where, destination::how::here);
}

TEST(adws, splits_inside_a_worker) {
  search play(3);
  auto group = play.open(0, play.root, 2);
  const sent left = play.fork(0, *group, 1);
  EXPECT_EQ(left.to.where, destination::how::mailbox);  // 1.5 to 3: worker 1 owns it, together with the other half
  EXPECT_EQ(left.to.worker, 1u);
  EXPECT_EQ(play.fork(0, *group, 1).to.where, destination::how::here);
}

TEST(adws, lets_an_only_child_with_all_the_work_search_where_its_parent_did) {
  search play(8);
  upper_task* task = &play.root;
  std::vector<std::unique_ptr<upper_group>> groups;
  std::vector<sent> children;
  for (int depth = 0; depth < 100; ++depth) {
    groups.push_back(play.open(0, *task, 1));
    children.push_back(play.fork(0, *groups.back(), 1));
    ASSERT_EQ(children.back().to.where, destination::how::here);
    ASSERT_EQ(children.back().to.as, tier::upper);
    task = children.back().task.get();
    play.scheduler.resume(0, *task);
  }
  // Up again: every range is closed in its turn, none by value, though all of them are 0 to 7.
  for (int depth = 100; depth-- > 0;) {
    play.scheduler.end(0, *children[static_cast<std::size_t>(depth)].task);
    const destination where = play.close(0, std::move(groups[static_cast<std::size_t>(depth)]));
    ASSERT_EQ(where.where, destination::how::here);
  }
}

TEST(adws, places_children_without_work_inside_the_range) {
  search play(8);
  auto group = play.open(0, play.root, 0);
  for (int i = 0; i < 10; ++i) {
    const sent child = play.fork(0, *group, 0);
    EXPECT_EQ(child.to.as, tier::lower);
    EXPECT_LT(child.to.worker, 8u);
  }
}

TEST(adws, brings_a_task_back_to_its_owner_between_groups) {
  search play(4);
  auto first = play.open(0, play.root, 1);
  play.fork(0, *first, 1);
  const destination after = play.close(3, std::move(first));  // worker 3 was the last to end
  EXPECT_EQ(after.where, destination::how::mailbox);
  EXPECT_EQ(after.worker, 0u);
  EXPECT_EQ(after.as, tier::upper);
  // The next group is mapped like the first one.
  play.scheduler.resume(0, play.root);
  auto second = play.open(0, play.root, 4);
  EXPECT_EQ(play.fork(0, *second, 1).to.worker, 3u);
}

TEST(adws, collects_a_task_of_its_own_if_it_comes_from_one_that_was_sent_to_it) {
  search play(4);
  auto group = play.open(0, play.root, 4);
  play.fork(0, *group, 2);
  play.scheduler.idle(0);  // it finds nothing, and uses the deque for what it would take from its inbox
  ASSERT_EQ(play.engine.lane_of(0), deque_kind::migrated);
  const destination where = play.close(0, std::move(group));
  EXPECT_EQ(where.where, destination::how::mailbox) << "nobody steals from that deque of the first worker of a range";
  EXPECT_EQ(where.worker, 0u);
  EXPECT_EQ(where.as, tier::upper);
}

TEST(adws, does_not_bring_it_back_once_a_range_around_it_is_active) {
  nested play(4);
  play.fork_inner(1);
  play.scheduler.end(0, *play.right.task);  // the neighbour has ended: its parent's range is active now
  const destination after = play.close(6, std::move(play.inner));
  EXPECT_EQ(after.where, destination::how::here);
  EXPECT_EQ(after.as, tier::lower);
}

TEST(adws, steals_nowhere_before_the_search_ends_and_then_within_its_range) {
  nested play(4);
  EXPECT_FALSE(play.scheduler.idle(4));
  EXPECT_TRUE(play.engine.attempts.empty());
  play.fork_inner(4);  // the last one is worker 4's own, of the lower tier: the search ends
  ASSERT_EQ(play.engine.roused.size(), 1u);
  EXPECT_EQ(play.engine.roused[0], (worker_range{4, 7}));
  for (int i = 0; i < 50; ++i) {
    EXPECT_FALSE(play.scheduler.idle(4));
  }
  std::set<worker_id> victims;
  for (const auto& attempt : play.engine.attempts) {
    victims.insert(attempt.victim);
    // Of the leftmost worker only what was migrated to it belongs to this range.
    EXPECT_FALSE(attempt.victim == 7 && attempt.from == deque_kind::local);
  }
  EXPECT_EQ(victims, (std::set<worker_id>{5, 6, 7}));
  EXPECT_EQ(play.engine.scope(4), (worker_range{4, 7}));
}

TEST(adws, widens_to_the_topmost_active_range) {
  nested play(4);
  play.fork_inner(4);
  play.scheduler.end(0, *play.right.task);
  play.scheduler.idle(4);
  EXPECT_EQ(play.engine.scope(4), (worker_range{0, 7}));
}

TEST(adws, lets_a_worker_that_was_handed_an_ordinary_task_steal_around_it) {
  nested play(4);
  const sent ordinary = play.fork_inner(4);
  ASSERT_EQ(ordinary.to.worker, 7u);
  play.scheduler.resume(7, *ordinary.task);
  play.scheduler.end(7, *ordinary.task);
  play.scheduler.idle(7);
  EXPECT_EQ(play.engine.scope(7), (worker_range{4, 7}));
  // The group has ended, and with it its range: the next one around it, once that is active.
  play.close(4, std::move(play.inner));
  play.scheduler.idle(7);
  EXPECT_GT(play.engine.scope(7).first, play.engine.scope(7).last);
  play.scheduler.end(0, *play.right.task);
  play.scheduler.idle(7);
  EXPECT_EQ(play.engine.scope(7), (worker_range{0, 7}));
}

TEST(adws, looks_elsewhere_if_the_range_of_a_task_that_it_took_is_not_its_own) {
  nested play(4);
  const sent ordinary = play.fork_inner(4);
  // Worker 1 takes what workers 4 to 7 have, and is in none of their active ranges.
  play.scheduler.resume(1, *ordinary.task);
  play.scheduler.end(1, *ordinary.task);
  play.scheduler.idle(1);
  EXPECT_GT(play.engine.scope(1).first, play.engine.scope(1).last);
  play.scheduler.resume(0, *play.right.task);
  const auto group = play.open(0, *play.right.task, 4);
  std::vector<sent> children;
  for (int i = 0; i < 4; ++i) children.push_back(play.fork(0, *group, 1));
  play.scheduler.idle(1);
  EXPECT_EQ(play.engine.scope(1), (worker_range{0, 3}));
}

TEST(adws, remembers_the_outer_range_when_a_search_inside_it_ends) {
  nested play(4);
  play.scheduler.end(0, *play.right.task);  // all eight may share
  play.fork_inner(4);                       // and now four of them
  play.close(4, std::move(play.inner));
  play.scheduler.idle(7);
  EXPECT_EQ(play.engine.scope(7), (worker_range{0, 7}));
}

TEST(adws, knows_the_ranges_around_a_group_of_a_task_that_it_meets_first_there) {
  nested play(2);
  const sent half = play.fork_inner(2);
  ASSERT_EQ(half.to.worker, 6u);
  // Worker 6 has seen neither group: it knows them from the task alone.
  play.scheduler.resume(6, *half.task);
  play.scheduler.end(0, *play.right.task);
  play.scheduler.idle(6);
  EXPECT_EQ(play.engine.scope(6), (worker_range{0, 7}));
}

TEST(adws, does_not_let_a_migrated_ordinary_task_change_its_workers_range) {
  nested play(4);
  const sent ordinary = play.fork_inner(1);
  ASSERT_EQ(ordinary.to.as, tier::lower);
  // Its end is not that of a search-root task: nothing around it becomes active.
  play.scheduler.end(7, *ordinary.task);
  EXPECT_TRUE(play.engine.roused.empty());
}

TEST(adws, leaves_what_is_not_to_be_shared_to_its_owners) {
  search play(4);
  play.root.unshared = true;
  auto group = play.open(0, play.root, 4);
  const sent left = play.fork(0, *group, 2);
  EXPECT_TRUE(left.task->unshared) << "nor is what its children fork";
  for (int i = 0; i < 2; ++i) play.fork(0, *group, 1);  // the last one is worker 0's own
  play.scheduler.end(2, *left.task);
  EXPECT_TRUE(play.engine.roused.empty());
  EXPECT_FALSE(play.scheduler.idle(0));
  EXPECT_TRUE(play.engine.attempts.empty());
  play.close(2, std::move(group));
  // Afterwards it is as ever.
  play.root.unshared = false;
  play.scheduler.resume(0, play.root);
  auto next = play.open(0, play.root, 4);
  for (int i = 0; i < 4; ++i) play.fork(0, *next, 1);
  EXPECT_FALSE(play.engine.roused.empty());
}

TEST(adws, takes_no_first_touch_for_an_iteration_of_the_program) {
  search play(8, adws::stealing::on, 2);
  for (const bool unshared : {true, false}) {
    play.root.unshared = unshared;
    for (int i = 0; i < 2; ++i) play.close(0, play.open(0, play.root, 4));
    EXPECT_EQ(play.engine.watches, unshared ? 0u : 1u);
  }
}

TEST(adws, never_steals_when_told_so_and_always_returns_to_the_owner) {
  search play(4, adws::stealing::off);
  auto group = play.open(0, play.root, 4);
  for (int i = 0; i < 4; ++i) {
    play.fork(0, *group, 1);
  }
  for (worker_id worker = 0; worker < 4; ++worker) {
    EXPECT_FALSE(play.scheduler.idle(worker));
  }
  EXPECT_TRUE(play.engine.attempts.empty());
  EXPECT_EQ(play.close(2, std::move(group)).where, destination::how::mailbox);
}

TEST(adws, lets_a_worker_go_on_stealing_in_a_search_after_a_short_second_root) {
  search play(4);
  auto group = play.open(0, play.root, 4);
  for (int i = 0; i < 4; ++i) play.fork(0, *group, 1);
  upper_task second;
  play.scheduler.root(second);
  play.scheduler.resume(2, second);
  play.scheduler.end(2, second);
  play.engine.attempts.clear();
  for (int look = 0; look < 8; ++look) play.scheduler.idle(2);
  EXPECT_FALSE(play.engine.attempts.empty()) << "its range was that of the second root, which is over";
}

TEST(adws, runs_a_second_root_below_the_upper_tier) {
  search play(4);
  upper_task second;
  const destination where = play.scheduler.root(second);
  EXPECT_EQ(where.where, destination::how::anyone);
  EXPECT_EQ(where.as, tier::lower);
  play.scheduler.resume(2, second);
  // All may share in it from the beginning.
  ASSERT_FALSE(play.engine.roused.empty());
  EXPECT_EQ(play.engine.roused.back(), (worker_range{0, 3}));
  play.scheduler.end(2, second);
  play.scheduler.end(0, play.root);
  upper_task third;
  EXPECT_EQ(play.scheduler.root(third).where, destination::how::mailbox);
}

TEST(adws, lays_a_root_out_while_all_are_busy_unless_with_other_roots) {
  search play(4);
  upper_task second;
  play.scheduler.root(second);
  play.scheduler.end(0, play.root);
  play.engine.all_busy = true;
  upper_task third;
  EXPECT_EQ(play.scheduler.root(third).as, tier::lower);
  play.scheduler.resume(1, third);
  play.scheduler.end(1, third);
  play.scheduler.resume(2, second);
  play.scheduler.end(2, second);
  // Their workers may not have come to rest when the client sends its next root.
  upper_task fourth;
  EXPECT_EQ(play.scheduler.root(fourth).where, destination::how::mailbox);
}

}  // namespace
