// For how long idle workers keep to their steal ranges.
#include "sched/confinement.hpp"

#include <gtest/gtest.h>

namespace {

using jackdaw::sched::confinement;

constexpr double us = 1000;

class confined : public testing::Test {
 protected:
  void SetUp() override { ranges.start(2); }
  confinement ranges;
};

TEST_F(confined, leave_after_a_while_in_vain) {
  ranges.begin(0, us);
  EXPECT_FALSE(ranges.is_over(0, 100 * us)) << "it begins to look";
  EXPECT_FALSE(ranges.is_over(0, 150 * us));
  EXPECT_TRUE(ranges.is_over(0, 151 * us));
  EXPECT_FALSE(ranges.is_over(1, 151 * us)) << "another one";
}

TEST_F(confined, stay_for_longer_in_long_iterations) {
  ranges.begin(0, 10'000 * us);
  ranges.is_over(0, 0);
  EXPECT_FALSE(ranges.is_over(0, 200 * us)) << "the last one took 10 ms";
  EXPECT_TRUE(ranges.is_over(0, 201 * us));
  ranges.begin(0, us);
  ranges.is_over(0, 10'000 * us);
  EXPECT_FALSE(ranges.is_over(0, 10'200 * us)) << "this one takes longer";
  EXPECT_TRUE(ranges.is_over(0, 10'300 * us));
}

TEST_F(confined, wait_for_their_part_of_the_first_iteration) {
  ranges.begin(0, 0);
  ranges.is_over(0, 0);
  EXPECT_FALSE(ranges.is_over(0, 250 * us)) << "what it takes now it touches first";
  EXPECT_TRUE(ranges.is_over(0, 251 * us));
  ranges.found(1);
  ranges.is_over(1, 10 * us);
  EXPECT_TRUE(ranges.is_over(1, 61 * us)) << "it has had its part";
  ranges.begin(2000 * us, 2000 * us);
  ranges.is_over(0, 2000 * us);
  EXPECT_TRUE(ranges.is_over(0, 2051 * us)) << "the second iteration";
}

TEST_F(confined, begin_anew_when_they_find_something) {
  ranges.begin(0, 0);
  ranges.is_over(0, 0);
  ranges.found(0);
  EXPECT_FALSE(ranges.is_over(0, 100 * us));
  EXPECT_TRUE(ranges.is_over(0, 151 * us));
}

TEST_F(confined, begin_anew_in_each_iteration) {
  ranges.begin(0, us);
  ranges.is_over(0, 0);
  EXPECT_TRUE(ranges.is_over(0, 60 * us));
  ranges.begin(60 * us, 60 * us);
  EXPECT_FALSE(ranges.is_over(0, 61 * us)) << "what is placed with it may be on its way";
}

TEST_F(confined, tell_of_the_iteration_whether_one_has_left) {
  ranges.begin(0, 0);
  EXPECT_FALSE(ranges.was_left());
  ranges.leave();
  EXPECT_TRUE(ranges.was_left());
  ranges.begin(0, 0);
  EXPECT_FALSE(ranges.was_left());
}

}  // namespace
