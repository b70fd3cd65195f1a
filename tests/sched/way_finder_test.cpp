// How the search for a region's best way goes, on times that a test makes up.
#include "sched/way_finder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <vector>

namespace {

using namespace jackdaw::sched;

/// A region whose iterations take as long as a way says.
struct played {
  double hints = 100, times = 100, plain = 100;
  idleness seen{.all = 0.5, .uneven = 0.3};
  way_finder finder = {};
  std::map<way, int> ran = {};
  double spent = 0;
  int decided = 0;

  void run(int iterations) {
    for (int i = 0; i < iterations; ++i) {
      const way now = finder.next();
      const double took = now == way::hints ? hints : now == way::times ? times : plain;
      ++ran[now];
      spent += took;
      decided += finder.record(took, finder.looks() ? seen : idleness{}) ? 1 : 0;
    }
  }
};

TEST(way_finder, tries_nothing_where_workers_are_busy) {
  played it{.times = 50, .plain = 50, .seen = {.all = 0.04, .uneven = 0.04}};
  it.run(1000);
  EXPECT_EQ(it.ran[way::hints], 1000);
  EXPECT_EQ(it.decided, 1);
}

TEST(way_finder, keeps_times_that_save_more_than_three_percent) {
  played it{.times = 90};
  it.run(1000);
  EXPECT_EQ(it.finder.next(), way::times);
  EXPECT_LE(it.ran[way::hints], 16);
  played same{.times = 98};
  same.run(1000);
  EXPECT_EQ(same.finder.next(), way::hints);
}

TEST(way_finder, does_not_try_times_where_workers_are_evenly_idle) {
  played it{.times = 50, .plain = 120, .seen = {.all = 0.5, .uneven = 0.01}};
  it.run(1000);
  EXPECT_EQ(it.ran[way::times], 0);
  EXPECT_EQ(it.finder.next(), way::hints);
}

TEST(way_finder, keeps_plain_stealing_that_saves_more_than_three_percent) {
  played it{.times = 99, .plain = 80};
  it.run(1000);
  EXPECT_EQ(it.finder.next(), way::plain);
}

TEST(way_finder, compares_plain_stealing_with_the_best_so_far) {
  played it{.times = 80, .plain = 79};
  it.run(1000);
  EXPECT_EQ(it.finder.next(), way::times);
}

TEST(way_finder, loses_at_most_three_percent_with_a_way_three_times_as_slow) {
  for (const int iterations : {1, 5, 20, 40, 97, 98, 100, 200, 1000}) {
    played it{.times = 100, .plain = 300};
    it.run(iterations);
    EXPECT_LE(it.spent, 100.0 * iterations * 1.03) << iterations;
  }
}

TEST(way_finder, begins_with_plain_stealing_where_that_is_expected_and_tries_hints_all_the_same) {
  for (const double hints : {70.0, 130.0}) {
    played it{.hints = hints, .seen = {.all = 0.01}};
    it.run(2);
    it.finder.expect_plain();
    EXPECT_EQ(it.finder.next(), way::plain);
    it.run(10);
    EXPECT_GE(it.ran[way::hints], 3) << "workers need not idle for that";
    it.run(50);
    EXPECT_EQ(it.finder.next(), hints < 100 ? way::hints : way::plain);
  }
}

TEST(way_finder, does_not_try_hints_that_took_much_longer_than_plain_stealing) {
  played it{.hints = 300, .seen = {.all = 0.01}};
  it.run(2);
  it.finder.expect_plain();
  it.run(100);
  EXPECT_EQ(it.ran[way::hints], 2);
}

TEST(way_finder, is_not_told_what_to_expect_once_it_has_measured) {
  played it;
  it.run(6);
  it.finder.expect_plain();
  EXPECT_EQ(it.finder.next(), way::hints);
  way_finder pinned(way::times);
  pinned.expect_plain();
  EXPECT_EQ(pinned.next(), way::times);
}

TEST(way_finder, ends_a_trial_of_bad_times_at_once) {
  played it{.times = 200};
  it.run(90);
  EXPECT_EQ(it.ran[way::times], 1);
}

TEST(way_finder, is_not_misled_by_the_first_iteration) {
  played it;
  it.hints = 5000;  // it touches data first
  it.run(1);
  it.hints = 100;
  it.times = 120;
  it.run(500);
  EXPECT_EQ(it.finder.next(), way::hints);
}

TEST(way_finder, searches_again_when_the_program_changes_but_not_for_ever) {
  played it{.times = 90, .plain = 200};
  it.run(300);
  EXPECT_EQ(it.finder.next(), way::times);
  it.hints = 200;
  it.times = 400;
  it.run(300);
  EXPECT_EQ(it.finder.next(), way::hints);
  const int before = it.decided;
  for (int i = 0; i < 100; ++i) {  // a load that comes and goes
    it.hints = i % 2 == 0 ? 2000 : 100;
    it.times = i % 2 == 0 ? 100 : 2000;
    it.run(50);
  }
  EXPECT_LE(it.decided - before, 12) << "it flaps";
}

/// Runs iterations whose times a function gives by number and way.
way settled_way(int iterations, const std::function<double(int, way)>& took) {
  way_finder finder;
  for (int i = 0; i < iterations; ++i)
    finder.record(took(i, finder.next()), finder.looks() ? idleness{.all = 0.5, .uneven = 0.3} : idleness{});
  return finder.next();
}

TEST(way_finder, does_not_take_work_that_becomes_less_for_a_saving) {
  for (const double less : {0.01, 0.02, 0.03}) {
    const auto took = [&](int i, way how) { return std::pow(1 - less, i) * (how == way::hints ? 100 : 105); };
    EXPECT_EQ(settled_way(150, took), way::hints) << less;
  }
}

TEST(way_finder, does_not_take_a_long_warm_up_for_a_saving) {
  for (const int warm : {4, 6, 8, 10, 14, 95, 97, 99, 101}) {
    const auto took = [&](int i, way how) { return (i < warm ? 200.0 : 100.0) * (how == way::hints ? 1 : 1.3); };
    EXPECT_EQ(settled_way(300, took), way::hints) << warm;
  }
}

TEST(way_finder, is_seldom_misled_by_noise) {
  std::mt19937_64 random(7);
  int misled = 0, found = 0;
  for (int i = 0; i < 1000; ++i) {
    std::normal_distribution noise(0.0, 0.1);
    const auto alike = [&](int, way) { return 100 * std::exp(noise(random)); };
    misled += settled_way(150, alike) != way::hints ? 1 : 0;
    const auto saves = [&](int, way how) { return (how == way::plain ? 70 : 100) * std::exp(noise(random)); };
    found += settled_way(150, saves) == way::plain ? 1 : 0;
  }
  EXPECT_LE(misled, 80);
  EXPECT_GE(found, 900);
}

TEST(way_finder, keeps_the_best_way_while_the_work_grows) {
  int plain = 0;
  way_finder finder;
  for (int i = 0; i < 600; ++i) {
    plain += finder.next() == way::plain ? 1 : 0;
    finder.record(std::pow(1.01, i) * (finder.next() == way::plain ? 50 : 100), {.all = 0.5, .uneven = 0});
  }
  EXPECT_GE(plain, 450);
}

TEST(way_finder, forgets_its_samples_when_something_else_has_changed) {
  // Data move after the 97th iteration, and the trial of plain stealing under way is of no use.
  way_finder finder;
  for (int i = 0; i < 300; ++i) {
    const double took = (i < 98 ? 300.0 : 100.0) * (finder.next() == way::plain ? 1.3 : 1);
    finder.record(took, {.all = 0.5, .uneven = 0});
    if (i == 97) finder.disturb();
  }
  EXPECT_EQ(finder.next(), way::hints);
  played other{.times = 50};
  for (int i = 0; i < 100; ++i) {
    other.run(3);
    other.finder.disturb();
  }
  EXPECT_EQ(other.finder.next(), way::hints) << "nothing is ever compared";
}

TEST(way_finder, says_what_the_way_that_it_keeps_has_saved) {
  played it{.times = 80, .plain = 120};
  it.run(500);
  EXPECT_NEAR(it.finder.saves(), 0.2, 1e-9);
  played none;
  none.run(500);
  EXPECT_EQ(none.finder.saves(), 0);
}

TEST(way_finder, keeps_to_what_it_is_told) {
  for (const way told : {way::hints, way::times, way::plain}) {
    played it{.hints = 100, .times = 50, .plain = 70};
    it.finder = way_finder(told);
    it.run(500);
    EXPECT_EQ(it.ran[told], 500);
    EXPECT_EQ(it.decided, 0);
    EXPECT_FALSE(it.finder.looks());
  }
}

TEST(way_finder, leaves_plain_stealing_to_others_where_it_is_for_a_set) {
  played it{.times = 100, .plain = 50};
  it.finder = way_finder::of_a_set();
  it.run(500);
  EXPECT_EQ(it.ran[way::plain], 0);
  EXPECT_GT(it.ran[way::times], 0);
  EXPECT_TRUE(it.finder.settled());
}

TEST(way_finder, begins_from_what_has_been_found) {
  played it{.hints = 100, .times = 90};
  it.finder = way_finder::from(way::times, 0.1, false);
  it.run(500);
  EXPECT_EQ(it.finder.next(), way::times);
  EXPECT_GT(it.ran[way::hints], 0) << "it is tried";
  EXPECT_EQ(it.finder.saves(), 0.1);
  played last{.hints = 50, .times = 90};
  last.finder = way_finder::from(way::times, 0.1, true);
  last.run(500);
  EXPECT_EQ(last.ran[way::times], 500) << "nothing else is tried";
  last.times = 200;
  last.run(500);
  EXPECT_EQ(last.finder.next(), way::hints) << "but when the program changes";
}

TEST(way_finder, doubts_what_it_is_told_to_doubt) {
  for (const bool right : {true, false}) {
    way_finder finder = way_finder::of_a_set();
    const auto run = [&](int iterations, double other, double best) {
      for (int i = 0; i < iterations; ++i) finder.record(finder.on_trial() ? best : other, {});
    };
    run(20, 100, 100);
    EXPECT_TRUE(finder.settled());
    finder.doubt();
    run(60, right ? 90 : 110, 100);
    EXPECT_EQ(finder.kept(), right ? 0u : 1u);
    EXPECT_TRUE(finder.settled());
  }
}

TEST(way_finder, stands_times_of_nothing) {
  played it{.hints = 0, .times = 0, .plain = 0};
  it.run(500);
  EXPECT_EQ(it.finder.next(), way::hints);
}

}  // namespace
