#include "sched/laws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sched/script.hpp"

namespace {

using namespace jackdaw::sched;
using jackdaw::test::script;

/// A root that iterates, played by hand on worker 0 of two squads of four.
class played_laws {
 public:
  explicit played_laws(laws::variant which, const settings& told = {}, std::uint32_t workers = 8,
                       std::uint32_t nodes = 1)
      : engine(workers, nodes), scheduler(which, told) {
    scheduler.start(engine);
    scheduler.root(root);
    scheduler.resume(0, root);
  }

  /// One iteration that forks `children`; each misses and retires that much. Returns where they went.
  std::vector<destination> iterate(unsigned children, counts each) {
    std::vector<destination> went;
    std::vector<std::unique_ptr<upper_task>> tasks;
    upper_group group(root, root.group, root.rest(), children, 1);
    root.group = &group;
    scheduler.open(0, group);
    for (unsigned i = 0; i < children; ++i) {
      tasks.push_back(std::make_unique<upper_task>(root, group.cut(1), group.children++));
      went.push_back(scheduler.fork(0, group, *tasks.back()));
    }
    scheduler.wait(0, group, tier::upper);
    for (const auto& task : tasks) {
      scheduler.resume(0, *task);
      engine.counted[0] = engine.counted[0] + each;
      scheduler.end(0, *task);
    }
    engine.clock += takes;
    scheduler.close(0, group);
    root.leave(group);
    return went;
  }

  script engine;
  double takes = 1000;  // an iteration, in ns
  laws scheduler;
  upper_task root;
};

TEST(laws, gives_each_squad_its_part_of_the_span) {
  played_laws play(laws::variant::laws);
  const auto went = play.iterate(5, {1000, 2000});
  ASSERT_EQ(went.size(), 5u);
  EXPECT_EQ(went[0].pool, 0u);
  EXPECT_EQ(went[1].pool, 0u);
  EXPECT_EQ(went[2].pool, 0u) << "half of it: where it begins";
  EXPECT_EQ(went[3].pool, 1u);
  EXPECT_EQ(went[4].pool, 1u);
}

TEST(laws, places_what_has_parts_for_several_squads_before_what_is_older) {
  played_laws play(laws::variant::laws);
  upper_group group(play.root, nullptr, play.root.rest(), 12, 1);
  play.root.group = &group;
  play.scheduler.open(0, group);
  upper_task first(play.root, group.cut(1), group.children++), rest(play.root, group.cut(11), group.children++);
  const destination one = play.scheduler.fork(0, group, first), others = play.scheduler.fork(0, group, rest);
  EXPECT_EQ(one.pool, 0u);
  EXPECT_EQ(one.end, pool_end::in_order);
  EXPECT_EQ(others.pool, 0u);
  EXPECT_EQ(others.end, pool_end::front) << "squad 1 has nothing until it is taken";
}

/// Two squads, each with a part of its own that forks once, in the second iteration of LAWS-NC.
class squad_readiness : public testing::Test {
 protected:
  void SetUp() override {
    begin();
    for (auto& part : parts) {
      fork_from(*part);
      play.scheduler.end(0, *part);
    }
    end();
    begin();
  }
  void begin() {
    group = std::make_unique<upper_group>(play.root, nullptr, play.root.rest(), 2, 1);
    play.root.group = group.get();
    play.scheduler.open(0, *group);
    for (auto& part : parts) {
      part = std::make_unique<upper_task>(play.root, group->cut(1), group->children++);
      went = play.scheduler.fork(0, *group, *part);
      play.scheduler.resume(0, *part);
    }
    play.scheduler.wait(0, *group, tier::upper);
  }
  destination fork_from(upper_task& part) {
    upper_group own(part, nullptr, part.rest(), 2, 2);
    part.group = &own;
    upper_task child(part, own.cut(1), own.children++);
    const destination where = play.scheduler.fork(0, own, child);
    crossed = where.where == destination::how::here && crosses();
    if (where.where == destination::how::here) play.scheduler.resume(0, child);
    if (where.where == destination::how::pool) {
      engine().counted[0] = engine().counted[0] + counts{.misses = 1000, .instructions = 2000};
      play.scheduler.end(0, child);
    }
    play.scheduler.wait(0, own, where.as);
    closed = play.scheduler.close(0, own);
    part.leave(own);
    return where;
  }
  void end() {
    engine().clock += 1000;
    play.scheduler.close(0, *group);
    play.root.leave(*group);
  }
  /// Whether worker 5, of squad 1, looks at squad 0's deques.
  bool crosses() {
    engine().attempts.clear();
    EXPECT_FALSE(play.scheduler.idle(5));
    return std::any_of(engine().attempts.begin(), engine().attempts.end(),
                       [](const auto& each) { return each.victim < 4; });
  }
  script& engine() { return play.engine; }

  played_laws play{laws::variant::laws_nc};
  std::unique_ptr<upper_group> group;
  std::unique_ptr<upper_task> parts[2];
  destination went, closed;
  bool crossed = false;
};

TEST_F(squad_readiness, are_waited_for_up_to_their_first_forks_by_their_squads_before_these_help_others) {
  EXPECT_EQ(engine().decided.back(), laws::decisions::spread);
  EXPECT_EQ(went.pool, 1u);
  EXPECT_FALSE(crosses());
  EXPECT_FALSE(play.scheduler.may_take(5, 0));
  fork_from(*parts[0]);
  EXPECT_FALSE(crosses()) << "another squad's part";
  engine().woken.clear();
  const destination forked = fork_from(*parts[1]);
  EXPECT_FALSE(crossed) << "what follows the child may not lie in a deque before it starts";
  EXPECT_EQ(engine().woken, std::vector<worker_id>{4});
  EXPECT_TRUE(play.scheduler.may_take(5, 0));
  EXPECT_TRUE(crosses());
  EXPECT_EQ(forked.where, destination::how::here);
  EXPECT_EQ(forked.as, tier::lower);
  EXPECT_EQ(closed.where, destination::how::here);
  EXPECT_EQ(closed.as, tier::lower);
}

TEST_F(squad_readiness, need_not_fork_again) {
  play.scheduler.end(0, *parts[0]);
  play.scheduler.end(0, *parts[1]);
  EXPECT_TRUE(crosses());
}

TEST_F(squad_readiness, and_all_that_they_have_forked_are_looked_for_with_insistence_before_others_are_helped) {
  for (auto& part : parts) fork_from(*part);
  engine().insisting = false;
  EXPECT_FALSE(crosses());
  engine().insisting = true;
  EXPECT_TRUE(crosses());
  engine().insisting = false;
  EXPECT_TRUE(crosses()) << "still";
  end();
  begin();
  for (auto& part : parts) fork_from(*part);
  EXPECT_FALSE(crosses()) << "there may be something again";
}

TEST(laws, profiles_again_if_counters_were_refused_half_way) {
  played_laws play(laws::variant::laws);
  play.engine.listens_to = evidence::counters;
  play.engine.listened_to = evidence::declared;
  play.iterate(4, {1000, 2000});
  play.engine.listens_to = evidence::declared;
  play.iterate(4, {1000, 2000});
  play.iterate(4, {1000, 2000});
  EXPECT_EQ(play.engine.decided,
            (std::vector{laws::decisions::profile, laws::decisions::profile, laws::decisions::spread}));
}

TEST(laws, steals_plainly_where_little_is_missed) {
  played_laws play(laws::variant::laws);
  play.iterate(4, {10, 1'000'000});
  const auto went = play.iterate(4, {10, 1'000'000});
  EXPECT_EQ(play.engine.decided, (std::vector{laws::decisions::profile, laws::decisions::plain}));
  for (const destination& each : went) {
    EXPECT_EQ(each.where, destination::how::here);
    EXPECT_EQ(each.as, tier::lower);
  }
}

/// An iteration that is profiled: a task begins on worker 0 and ends on worker 1, which has done `early`; then another
/// is forked, and the whole iteration comes to `late`. Where the second task went.
destination fork_after(played_laws& play, counts early, counts late = {}) {
  upper_group group(play.root, nullptr, play.root.rest(), 3, 1);
  play.root.group = &group;
  play.scheduler.open(0, group);
  upper_task one(play.root, group.cut(1), group.children++), two(play.root, group.cut(1), group.children++);
  play.scheduler.fork(0, group, one);
  play.scheduler.resume(0, one);
  play.scheduler.resume(1, two);
  play.engine.counted[1] = early;
  play.scheduler.end(1, one);
  const destination went = play.scheduler.fork(0, group, two);
  play.scheduler.end(1, two);
  play.engine.counted[0].misses += late.misses;
  play.engine.counted[0].instructions += late.instructions;
  play.engine.clock += 1000;
  play.scheduler.close(0, group);
  play.root.leave(group);
  return went;
}

TEST(laws, steals_plainly_as_soon_as_all_workers_together_have_worked_enough_and_missed_little) {
  played_laws soon(laws::variant::laws), too_soon(laws::variant::laws), missing(laws::variant::laws),
      told(laws::variant::laws, {.data = 8 << 20});
  EXPECT_EQ(fork_after(soon, {10, 200'000}).where, destination::how::here);
  EXPECT_EQ(fork_after(too_soon, {10, 100'000}).where, destination::how::pool);
  EXPECT_EQ(fork_after(missing, {100'000, 200'000}).where, destination::how::pool);
  EXPECT_EQ(fork_after(told, {10, 200'000}).where, destination::how::pool);
}

// An array that is filled with what takes long to compute: a line in 128 instructions. The limit is a line in 100.
TEST(laws, places_what_is_not_clearly_cpu_bound_to_the_end_of_its_first_iteration) {
  played_laws filled(laws::variant::laws), clear(laws::variant::laws);
  EXPECT_EQ(fork_after(filled, {1560, 200'000}).where, destination::how::pool);
  EXPECT_EQ(fork_after(clear, {490, 200'000}).where, destination::how::here);
}

TEST(laws, profiles_again_what_turned_out_not_to_be_cpu_bound_after_all) {
  played_laws play(laws::variant::laws);
  EXPECT_EQ(fork_after(play, {10, 200'000}, {1'000'000, 1'000'000}).where, destination::how::here);
  EXPECT_EQ(play.iterate(3, {1000, 2000}).front().where, destination::how::pool);
  play.iterate(3, {1000, 2000});
  EXPECT_EQ(play.engine.decided,
            (std::vector{laws::decisions::profile, laws::decisions::profile, laws::decisions::spread}));
}

TEST(laws, steals_plainly_where_nothing_was_counted_and_nothing_is_told) {
  played_laws play(laws::variant::laws);
  play.iterate(4, {0, 0});
  play.iterate(4, {0, 0});
  EXPECT_EQ(play.engine.decided, (std::vector{laws::decisions::profile, laws::decisions::plain}));
}

TEST(laws, believes_what_it_is_told_of_the_data_rather_than_that_little_is_missed) {
  played_laws play(laws::variant::laws, {.data = 8 << 20});
  play.iterate(4, {0, 1'000'000});
  play.iterate(4, {0, 1'000'000});
  EXPECT_EQ(play.engine.decided,
            (std::vector{laws::decisions::profile, laws::decisions::divide, laws::decisions::spread}));
}

TEST(laws, profiles_anew_when_another_tree_comes) {
  played_laws play(laws::variant::paper);
  play.iterate(4, {1000, 2000});
  play.iterate(6, {1000, 2000});
  play.iterate(6, {1000, 2000});
  EXPECT_EQ(play.engine.decided,
            (std::vector{laws::decisions::profile, laws::decisions::pack, laws::decisions::profile}));
}

TEST(laws, packed_children_are_of_the_lower_tier_and_stand_behind_what_forks_others) {
  played_laws play(laws::variant::paper);
  play.iterate(4, {1000, 2000});
  for (const destination& each : play.iterate(4, {1000, 2000})) {
    EXPECT_EQ(each.as, tier::lower);
    EXPECT_EQ(each.end, pool_end::in_order);
    EXPECT_GE(each.order, span::one);
  }
}

/// Whether a packing is tried in the fourth iteration of eight tasks, after the profiled one and two that are spread.
bool packs(played_laws& play, counts profiled, counts spread) {
  play.iterate(8, profiled);
  play.iterate(8, spread);
  play.iterate(8, spread);
  play.iterate(8, spread);
  EXPECT_EQ(play.engine.decided[1], laws::decisions::spread);
  EXPECT_EQ(play.engine.decided[2], laws::decisions::spread);
  return play.engine.decided[3] == laws::decisions::pack;
}

TEST(laws, packs_only_what_does_not_fit_and_comes_from_memory_more_often_than_in_serial_order) {
  // The caches hold 32,768 lines.
  played_laws finds(laws::variant::laws), misses(laws::variant::laws), fits(laws::variant::laws);
  EXPECT_FALSE(packs(finds, {10'000, 20'000, 5000}, {10'000, 20'000, 5200}));
  EXPECT_TRUE(packs(misses, {10'000, 20'000, 5000}, {10'000, 20'000, 5000, 300}));
  EXPECT_FALSE(packs(fits, {10'000, 20'000, 4000}, {10'000, 20'000, 8000}));
}

TEST(laws, lets_times_decide_about_packing_if_nobody_sees_what_comes_from_memory) {
  played_laws play(laws::variant::laws);
  play.engine.counts_memory = false;
  EXPECT_TRUE(packs(play, {10'000, 20'000, 1000}, {10'000, 20'000, 1000}));
}

TEST(laws, tries_plain_stealing_only_if_one_squad_idles_and_another_works) {
  played_laws busy(laws::variant::laws), uneven(laws::variant::laws), even(laws::variant::laws);
  for (played_laws* const each : {&busy, &uneven, &even}) {
    each->iterate(8, {1000, 2000});
    // One worker of a squad, or of each, finds nothing from now on.
    if (each != &busy) {
      EXPECT_FALSE(each->scheduler.idle(6));
    }
    if (each == &even) {
      EXPECT_FALSE(each->scheduler.idle(2));
    }
    for (int i = 0; i < 3; ++i) each->iterate(8, {1000, 2000});
  }
  EXPECT_EQ(busy.engine.decided[3], laws::decisions::spread);
  EXPECT_EQ(uneven.engine.decided[3], laws::decisions::plain);
  EXPECT_EQ(even.engine.decided[3], laws::decisions::spread);
}

TEST(laws, looks_again_at_a_cpu_bound_region_that_takes_another_time_for_good) {
  played_laws play(laws::variant::laws), printed(laws::variant::paper);
  for (played_laws* const each : {&play, &printed}) {
    for (int i = 0; i < 5; ++i) each->iterate(4, {10, 1'000'000});
    each->takes = 3000;
    for (int i = 0; i < 8; ++i) each->iterate(4, {100'000, 1'000'000});
    EXPECT_EQ(std::count(each->engine.decided.begin(), each->engine.decided.end(), laws::decisions::profile), 1);
    each->iterate(4, {100'000, 1'000'000});
    each->iterate(4, {100'000, 1'000'000});
  }
  EXPECT_EQ(play.engine.decided.end()[-2], laws::decisions::profile);
  EXPECT_EQ(play.engine.decided.back(), laws::decisions::spread);
  EXPECT_EQ(printed.engine.decided.back(), laws::decisions::plain) << "the verdict is final";
}

TEST(laws, takes_no_first_touch_for_an_iteration_of_the_program) {
  played_laws play(laws::variant::laws, {}, 8, 2);
  for (const bool unshared : {true, false}) {
    play.root.unshared = unshared;
    for (int i = 0; i < 3; ++i) play.iterate(8, {1000, 2000});
    EXPECT_EQ(play.engine.watches, unshared ? 0u : 1u);
  }
}

TEST(laws, helps_the_nearest_squads_first) {
  played_laws play(laws::variant::laws, {}, 16);  // four squads in a row
  play.iterate(4, {1000, 2000});
  play.iterate(4, {1000, 2000});
  play.scheduler.wait(0, *std::make_unique<upper_group>(play.root, nullptr, play.root.rest(), 1, 1), tier::upper);
  play.engine.attempts.clear();
  EXPECT_FALSE(play.scheduler.idle(14));
  std::vector<worker_id> squads;
  for (const auto& each : play.engine.attempts) squads.push_back(each.victim / 4);
  EXPECT_EQ(squads, (std::vector<worker_id>{3, 3, 3, 2, 1, 0}));
}

TEST(laws, packs_by_the_printed_algorithm_from_the_second_iteration_on_and_for_good) {
  played_laws play(laws::variant::paper);
  for (int i = 0; i < 20; ++i) {
    play.takes = i < 10 ? 1000 : 5000;
    play.iterate(4, {1000, 2000});
  }
  EXPECT_EQ(std::count(play.engine.decided.begin(), play.engine.decided.end(), laws::decisions::pack), 19);
  EXPECT_EQ(std::count(play.engine.decided.begin(), play.engine.decided.end(), laws::decisions::settle), 1);
}

}  // namespace
