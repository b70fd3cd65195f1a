#include "sched/tuner.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>

namespace {

using jackdaw::sched::arrangement;
using jackdaw::sched::tuner;
using curve = std::function<double(arrangement)>;
using how = arrangement::how;

constexpr arrangement spread{how::spread}, plain{how::plain};
constexpr arrangement packed(int step) { return {how::packed, step}; }
constexpr bool is_packed(arrangement of) { return of.what == how::packed; }

/// Iterates until the search has ended; returns how many iterations it took.
int search(tuner& of, const curve& takes) {
  int iterations = 0;
  while (!of.settled() && iterations < 100) {
    of.record(takes(of.next()));
    ++iterations;
  }
  return iterations;
}

TEST(tuner, begins_with_the_first_packing_then_smaller_subtrees) {
  tuner made(3, 3);
  EXPECT_EQ(made.next(), packed(0));
  made.record(100);
  EXPECT_EQ(made.next(), packed(1));
}

TEST(tuner, goes_down_while_smaller_subtrees_pay_and_tries_no_larger_ones) {
  tuner made(3, 5);
  const curve takes = [](arrangement p) {
    EXPECT_FALSE(is_packed(p) && p.step < 0);
    return is_packed(p) ? 100.0 - 10 * p.step : 120.0;
  };
  EXPECT_LE(search(made, takes), 7);
  EXPECT_EQ(made.next(), packed(2));
}

TEST(tuner, goes_up_if_smaller_subtrees_do_not_pay) {
  tuner made(5, 5);
  const curve takes = [](arrangement p) { return is_packed(p) ? 100.0 + 10 * p.step : 120.0; };
  EXPECT_LE(search(made, takes), 7);
  EXPECT_EQ(made.next(), packed(-3));
}

TEST(tuner, stays_within_the_steps_that_there_are) {
  tuner made(1, 0);
  const curve takes = [](arrangement p) {
    EXPECT_TRUE(!is_packed(p) || p.step == 0 || p.step == -1);
    return is_packed(p) ? 100.0 + p.step : 120.0;
  };
  search(made, takes);
  EXPECT_EQ(made.next(), packed(-1));
}

TEST(tuner, packs_only_where_that_pays) {
  tuner worse(3, 3), hardly_better(3, 3), better(3, 3);
  search(worse, [](arrangement p) { return is_packed(p) ? 100.0 : 90.0; });
  EXPECT_EQ(worse.next(), spread);
  search(hardly_better, [](arrangement p) { return is_packed(p) ? 99.0 : 100.0; });
  EXPECT_EQ(hardly_better.next(), spread);
  search(better, [](arrangement p) { return is_packed(p) ? 97.0 : 100.0; });
  EXPECT_NE(better.next(), spread);
}

TEST(tuner, steals_plainly_where_that_pays_and_only_while_it_does) {
  tuner worse(3, 3), hardly_better(3, 3), better(3, 3), for_once(3, 3);
  search(worse, [](arrangement p) { return p == plain ? 105.0 : 100.0; });
  EXPECT_EQ(worse.next(), spread);
  search(hardly_better, [](arrangement p) { return p == plain ? 96.0 : 100.0; });
  EXPECT_EQ(hardly_better.next(), spread);
  const curve takes = [](arrangement p) { return p == plain ? 90.0 : is_packed(p) ? 110.0 : 100.0; };
  search(better, takes);
  EXPECT_EQ(better.next(), plain);
  for (int i = 0; i < 10; ++i) better.record(takes(better.next()));
  EXPECT_EQ(better.next(), plain);
  // What did not last gives way to the next best, a packing.
  search(for_once, [](arrangement p) { return p == plain ? 70.0 : p == packed(0) ? 80.0 : 100.0; });
  EXPECT_EQ(for_once.next(), plain);
  for (int i = 0; i < 4; ++i) for_once.record(99);
  EXPECT_EQ(for_once.next(), packed(0));
}

TEST(tuner, ends_in_time_and_never_with_worse_than_it_began_with_whatever_the_times) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> ns(50, 150);
  for (int i = 0; i < 2000; ++i) {
    std::map<arrangement, double> times;
    const curve takes = [&](arrangement p) { return times.try_emplace(p, ns(random)).first->second; };
    tuner made(static_cast<int>(random() % 5), static_cast<int>(random() % 5));
    EXPECT_LE(search(made, takes), 7);
    const double chosen = takes(made.next());
    EXPECT_LE(chosen, takes(spread));
    EXPECT_LE(chosen * 0.95, takes(plain));
    // Packing that gains less than two parts in a hundred is not worth having.
    EXPECT_LE(chosen * 0.98, takes(packed(0)));
  }
}

TEST(tuner, starts_over_when_times_change_for_good_but_not_for_a_while) {
  tuner made(2, 2);
  const curve takes = [](arrangement p) { return p == packed(1) ? 80.0 : 100.0; };
  search(made, takes);
  ASSERT_EQ(made.next(), packed(1));
  for (int i = 0; i < 8; ++i) made.record(takes(made.next()));
  ASSERT_EQ(made.next(), packed(1));
  for (int i = 0; i < 5; ++i) made.record(200);
  made.record(80);
  for (int i = 0; i < 7; ++i) made.record(200);
  EXPECT_TRUE(made.settled());
  made.record(200);
  EXPECT_FALSE(made.settled());
  EXPECT_EQ(made.next(), packed(0));
  search(made, [](arrangement p) { return is_packed(p) ? 200.0 : 150.0; });
  EXPECT_EQ(made.next(), spread);
}

TEST(tuner, comes_back_to_a_packing_if_what_seemed_better_does_not_last) {
  tuner made(2, 2);
  search(made, [](arrangement p) { return p == packed(1) ? 100.0 : p == spread ? 95.0 : 110.0; });
  EXPECT_EQ(made.next(), spread);
  for (int i = 0; i < 4; ++i) made.record(120);
  EXPECT_EQ(made.next(), packed(1));
  for (int i = 0; i < 4; ++i) made.record(102);
  EXPECT_EQ(made.next(), packed(1));
  // That is known now, too: it takes no more than it was expected to.
  for (int i = 0; i < 20; ++i) made.record(125);
  EXPECT_EQ(made.next(), packed(1));
  EXPECT_TRUE(made.settled());
}

TEST(tuner, does_not_hold_to_what_is_good_by_chance_now_and_then) {
  tuner made(3, 0);
  search(made, [](arrangement p) {
    return p == spread ? 26.3 : p == packed(-2) ? 26.4 : p == packed(-1) ? 27.0 : 28.0;
  });
  EXPECT_EQ(made.next(), spread);
  for (const double took : {31.3, 37.1, 31.4, 26.3}) made.record(took);
  EXPECT_EQ(made.next(), packed(-2));
  for (int i = 0; i < 20; ++i) made.record(i % 4 == 0 ? 30.0 : 26.0);
  EXPECT_EQ(made.next(), packed(-2));
}

TEST(tuner, holds_what_it_compares_with_to_it_too) {
  tuner made(3, 0);
  search(made, [](arrangement p) { return p == spread ? 13.0 : p == packed(-1) ? 11.8 : 11.9; });
  EXPECT_EQ(made.next(), packed(-1));
  for (int i = 0; i < 4; ++i) made.record(12.2);
  EXPECT_EQ(made.next(), spread) << "its one trial was a bad one";
  for (int i = 0; i < 4; ++i) made.record(11.8);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(made.next(), spread);
    made.record(11.8);
  }
}

TEST(tuner, gives_up_a_packing_that_the_iterations_after_the_search_do_not_confirm) {
  tuner made(2, 2);
  search(made, [](arrangement p) { return p == packed(1) ? 80.0 : 100.0; });
  for (const double took : {99.0, 98.5, 99.0}) {
    made.record(took);
    EXPECT_EQ(made.next(), packed(1));
  }
  made.record(99);
  EXPECT_EQ(made.next(), spread);
  EXPECT_TRUE(made.settled());
}

}  // namespace
