// What learned_work makes of the times that a test pretends: the search of a root is played by hand.
#include "sched/learned_work.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sched/learning_adws.hpp"
#include "sched/script.hpp"

namespace jackdaw::sched {
namespace learned_parts {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double us = 1000;

/// A root that opens one group in each iteration, on eight workers.
class player {
 public:
  explicit player(hint_source from) : learned(from) { learned.start(engine); }

  /// Each child takes so many us. Returns the parts of the whole that they got.
  std::vector<double> iterate(const std::vector<double>& took, const std::vector<double>& hints, double total,
                              std::uint64_t site = 1) {
    upper_task root;
    upper_group group(root, nullptr, span{}, total, site);
    root.group = &group;
    task_work* const of = learned.begin(site);
    group_work* const known = learned.open(*of, site, group.rest);
    std::vector<double> parts;
    for (std::size_t i = 0; i < took.size(); ++i) {
      const span part = group.cut_part(learned.share(*known, group, i < hints.size() ? hints[i] : -1));
      parts.push_back(static_cast<double>(part.length()) / static_cast<double>(span::one));
      task_work* const child = learned.child(*known);
      work_account* const account = child != nullptr ? child->own.get() : known->tail.get();
      learned.meters().begin(0, account);
      engine.clock += took[i] * us;
      learned.meters().stop(0);
    }
    learned.close(*of, *known);
    return parts;
  }
  std::vector<double> repeat(int times, const std::vector<double>& took, const std::vector<double>& hints = {},
                             double total = -1) {
    for (int i = 1; i < times; ++i) iterate(took, hints, total);
    return iterate(took, hints, total);
  }

  test::script engine{8};
  learned_work learned;
};

void expect_near(const std::vector<double>& parts, const std::vector<double>& wanted, double error) {
  ASSERT_EQ(parts.size(), wanted.size());
  for (std::size_t i = 0; i < parts.size(); ++i) EXPECT_NEAR(parts[i], wanted[i], error) << "child " << i;
}

TEST(learned_work, without_hints_each_child_gets_half_of_the_rest_at_first_and_its_share_from_then_on) {
  player play(hint_source::learned);
  expect_near(play.iterate({100, 300, 600}, {}, -1), {0.5, 0.25, 0.125}, 1e-9);
  expect_near(play.iterate({100, 300, 600}, {}, -1), {0.1, 0.3, 0.6}, 0.05);
  expect_near(play.repeat(3, {100, 300, 600}), {0.1, 0.3, 0.6}, 0.05);
}

TEST(learned_work, even_children_get_even_parts_though_their_times_differ_a_little) {
  player play(hint_source::learned);
  play.iterate({100, 100, 100, 100}, {}, -1);
  for (const double noise : {0.0, 3.0, -2.0, 4.0, -3.0})
    expect_near(play.iterate({100 + noise, 100, 100 - noise, 100}, {}, -1), {0.25, 0.25, 0.25, 0.25}, 1e-9);
}

TEST(learned_work, another_region_knows_how_many_children_the_groups_of_a_site_have) {
  player play(hint_source::both);
  play.iterate({100, 100, 100, 100}, {}, -1, 7);
  upper_task root;
  upper_group group(root, nullptr, span{}, -1, 7);
  root.group = &group;
  task_work* const other = play.learned.begin(8);
  EXPECT_DOUBLE_EQ(play.learned.share(*play.learned.open(*other, 7, group.rest), group, -1), 0.25);
}

TEST(learned_work, given_hints_that_are_right_stay_as_they_are) {
  player play(hint_source::both);
  for (int i = 0; i < 6; ++i) expect_near(play.iterate({100, 300}, {1, 3}, 4), {0.25, 0.75}, 1e-9);
}

TEST(learned_work, given_hints_that_are_wrong_are_replaced) {
  player play(hint_source::both);
  expect_near(play.iterate({100, 300}, {3, 1}, 4), {0.75, 0.25}, 1e-9);
  expect_near(play.repeat(4, {100, 300}, {3, 1}, 4), {0.25, 0.75}, 0.05);
}

TEST(learned_work, learned_ignores_the_hints) {
  player play(hint_source::learned);
  expect_near(play.iterate({100, 300}, {3, 1}, 4), {0.5, 0.5}, 1e-9);
  expect_near(play.repeat(4, {100, 300}, {3, 1}, 4), {0.25, 0.75}, 0.05);
}

TEST(learned_work, hints_that_give_the_first_child_everything_are_replaced) {
  for (const hint_source from : {hint_source::learned, hint_source::both}) {
    player even(from), uneven(from);
    expect_near(even.repeat(3, {100, 100, 100}, {1, 0, 0}, 1), {1.0 / 3, 1.0 / 3, 1.0 / 3}, 0.05);
    expect_near(uneven.repeat(3, {100, 300, 600}, {1, 0, 0}, 1), {0.1, 0.3, 0.6}, 0.05);
  }
}

TEST(learned_work, a_load_that_moves_slowly_is_followed) {
  player play(hint_source::learned);
  for (int i = 0; i < 60; ++i) {
    const double left = 0.2 + 0.01 * i;
    const std::vector<double> parts = play.iterate({1000 * left, 1000 * (1 - left)}, {}, -1);
    if (i <= 5) continue;
    EXPECT_NEAR(parts[0], left, 0.15) << "iteration " << i;
  }
}

TEST(learned_work, children_that_come_and_go_get_parts_between_none_and_all) {
  player play(hint_source::both);
  for (const std::size_t count : {3U, 1U, 9U, 2U, 40U, 1U, 5000U, 4U}) {
    double sum = 0;
    for (const double part : play.iterate(std::vector<double>(count, 50), {}, -1)) {
      EXPECT_GE(part, 0);
      sum += part;
    }
    EXPECT_LE(sum, 1 + 1e-9);
  }
}

TEST(learned_work, hints_that_are_no_numbers_or_negative_and_work_that_takes_no_time_do_no_harm) {
  for (const hint_source from : {hint_source::learned, hint_source::both}) {
    player play(from);
    const double infinity = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i) {
      for (const double part : play.iterate({0, 0, 0}, {not_a_number, -5, infinity}, not_a_number)) {
        EXPECT_GE(part, 0);
        EXPECT_LE(part, 1);
      }
      for (const double part : play.iterate({100, 0, 300}, {not_a_number, -5, infinity}, 3)) EXPECT_GE(part, 0);
    }
    expect_near(play.iterate({100, 0, 300}, {}, -1), {0.25, 0, 0.75}, 0.05);
  }
}

TEST(learned_work, one_child_with_all_the_work_gets_all) {
  player play(hint_source::learned);
  EXPECT_GT(play.repeat(3, {1, 5000, 1})[1], 0.9);
}

TEST(learned_work, without_accounts_it_starts_over) {
  player play(hint_source::both);
  for (std::uint64_t site = 1; site < 40; ++site) play.iterate(std::vector<double>(4096, 1), {}, -1, site);
  expect_near(play.repeat(4, {100, 300}), {0.25, 0.75}, 0.05);
}

TEST(learned_work, keeps_no_more_groups_than_there_are_accounts) {
  player play(hint_source::both);
  task_work& root = *play.learned.begin(1);  // a task that loops inside of its region
  for (unsigned i = 0; i < 100'000; ++i) play.learned.open(root, 2, span{});
  EXPECT_LE(root.groups.size(), work_accounts::most);
}

TEST(learned_work, does_not_follow_a_program_that_nests_on_and_on) {
  player play(hint_source::both);
  upper_task task;
  task_work* at = play.learned.begin(1);
  unsigned levels = 0;
  for (; at != nullptr && levels < 100'000; ++levels) {
    group_work* const known = play.learned.open(*at, 1, span{});
    if (known == nullptr) break;
    upper_group group(task, nullptr, span{}, -1, 1);
    play.learned.share(*known, group, -1);
    at = play.learned.child(*known);
  }
  EXPECT_GE(levels, 64U);
  EXPECT_LE(levels, 1000U);  // else what is forgotten overflows the stack of a task
}

TEST(work_meters, charge_a_worker_for_what_it_does_and_not_for_looking_for_work) {
  test::script engine(2);
  work_meters meters;
  meters.start(engine);
  work_accounts accounts;
  work_account& one = *accounts.take();
  meters.begin(0, &one);
  engine.clock += 5;
  meters.stop(0);
  engine.clock += 100;
  meters.stop(0);
  meters.begin(1, meters.behind(0, deque_kind::local));  // a thief
  engine.clock += 7;
  meters.charge(1);
  EXPECT_DOUBLE_EQ(one.settle(), 12);
  EXPECT_DOUBLE_EQ(one.settle(), 0);
}

TEST(learning_adws, has_the_name_that_made_it) {
  for (const std::string name : {"adws:hints=learned", "adws:hints=both", "adws:no-steal:hints=both"}) {
    ASSERT_NE(make_scheduler(name), nullptr) << name;
    EXPECT_EQ(make_scheduler(name)->name(), name);
  }
  EXPECT_EQ(make_scheduler("adws:hints=given")->name(), "adws");
  for (const char* const wrong :
       {"adws:", "adws:hints", "adws:hints=", "adws:hints=foo", "adws:hints=both ", "adws:hints=both:no-steal", "adwsx",
        "adws:no-steal:", "adws:no-steal:hints=none", "adws:no-stealhints=both"})
    EXPECT_EQ(make_scheduler(wrong), nullptr) << wrong;
}

}  // namespace
}  // namespace learned_parts
}  // namespace jackdaw::sched
