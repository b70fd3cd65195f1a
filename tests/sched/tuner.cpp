#include "sched/tuner.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>

namespace {

using jackdaw::sched::tuner;
using curve = std::function<double(tuner::packing)>;

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
  EXPECT_EQ(made.next(), tuner::packing(0));
  made.record(100);
  EXPECT_EQ(made.next(), tuner::packing(1));
}

TEST(tuner, goes_down_while_smaller_subtrees_pay_and_tries_no_larger_ones) {
  tuner made(3, 5);
  const curve takes = [](tuner::packing p) {
    EXPECT_FALSE(p && *p < 0);
    return p ? 100.0 - 10 * *p : 120.0;
  };
  EXPECT_LE(search(made, takes), 6);
  EXPECT_EQ(made.next(), tuner::packing(2));
}

TEST(tuner, goes_up_if_smaller_subtrees_do_not_pay) {
  tuner made(5, 5);
  const curve takes = [](tuner::packing p) { return p ? 100.0 + 10 * *p : 120.0; };
  EXPECT_LE(search(made, takes), 6);
  EXPECT_EQ(made.next(), tuner::packing(-3));
}

TEST(tuner, stays_within_the_steps_that_there_are) {
  tuner made(1, 0);
  const curve takes = [](tuner::packing p) {
    EXPECT_TRUE(!p || *p == 0 || *p == -1);
    return p ? 100.0 + *p : 120.0;
  };
  search(made, takes);
  EXPECT_EQ(made.next(), tuner::packing(-1));
}

TEST(tuner, packs_only_where_that_pays) {
  tuner worse(3, 3), hardly_better(3, 3), better(3, 3);
  search(worse, [](tuner::packing p) { return p ? 100.0 : 90.0; });
  EXPECT_EQ(worse.next(), std::nullopt);
  search(hardly_better, [](tuner::packing p) { return p ? 99.0 : 100.0; });
  EXPECT_EQ(hardly_better.next(), std::nullopt);
  search(better, [](tuner::packing p) { return p ? 97.0 : 100.0; });
  EXPECT_NE(better.next(), std::nullopt);
}

TEST(tuner, ends_in_time_and_never_with_worse_than_it_began_with_whatever_the_times) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> ns(50, 150);
  for (int i = 0; i < 2000; ++i) {
    std::map<tuner::packing, double> times;
    const curve takes = [&](tuner::packing p) { return times.try_emplace(p, ns(random)).first->second; };
    tuner made(static_cast<int>(random() % 5), static_cast<int>(random() % 5));
    EXPECT_LE(search(made, takes), 6);
    const double chosen = takes(made.next());
    EXPECT_LE(chosen, takes(std::nullopt));
    // Packing that gains less than two parts in a hundred is not worth having.
    EXPECT_LE(chosen * 0.98, takes(0));
  }
}

TEST(tuner, starts_over_when_times_change_for_good_but_not_for_a_while) {
  tuner made(2, 2);
  const curve takes = [](tuner::packing p) { return p == 1 ? 80.0 : 100.0; };
  search(made, takes);
  ASSERT_EQ(made.next(), tuner::packing(1));
  for (int i = 0; i < 4; ++i) made.record(80);
  for (int i = 0; i < 5; ++i) made.record(200);
  made.record(80);
  for (int i = 0; i < 7; ++i) made.record(200);
  EXPECT_TRUE(made.settled());
  made.record(200);
  EXPECT_FALSE(made.settled());
  EXPECT_EQ(made.next(), tuner::packing(0));
  search(made, [](tuner::packing p) { return p ? 200.0 : 150.0; });
  EXPECT_EQ(made.next(), std::nullopt);
}

TEST(tuner, gives_up_a_packing_that_the_iterations_after_the_search_do_not_confirm) {
  tuner made(2, 2);
  search(made, [](tuner::packing p) { return p == 1 ? 80.0 : 100.0; });
  for (const double took : {99.0, 98.5, 99.0}) {
    made.record(took);
    EXPECT_EQ(made.next(), tuner::packing(1));
  }
  made.record(99);
  EXPECT_EQ(made.next(), std::nullopt);
  EXPECT_TRUE(made.settled());
}

}  // namespace
