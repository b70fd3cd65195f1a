// How the search for a region's best way goes, on times that a test makes up.
#include "sched/way_finder.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
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
  EXPECT_LE(it.ran[way::hints], 10);
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

TEST(way_finder, stands_times_of_nothing) {
  played it{.hints = 0, .times = 0, .plain = 0};
  it.run(500);
  EXPECT_EQ(it.finder.next(), way::hints);
}

}  // namespace
