#include "sched/packing_search.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace {

using jackdaw::sched::packing_search;

/// Returns the steps that were tried.
std::vector<int> search(packing_search& of, const std::function<double(int)>& takes) {
  std::vector<int> steps;
  while (const auto step = of.next()) {
    steps.push_back(*step);
    of.record(takes(*step));
  }
  return steps;
}

TEST(packing_search, goes_down_while_smaller_subtrees_pay_and_tries_no_larger_ones) {
  packing_search made(3, 3), ends(3, 5);
  EXPECT_EQ(search(made, [](int step) { return 100.0 - 10 * step; }), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(made.best(), 3);
  EXPECT_EQ(search(ends, [](int step) { return step < 2 ? 100.0 - 10 * step : 95.0; }), (std::vector{0, 1, 2}));
  EXPECT_EQ(ends.best(), 1);
  EXPECT_EQ(ends.least(), 90);
}

TEST(packing_search, goes_up_if_the_first_smaller_subtrees_do_not_pay) {
  packing_search made(4, 4);
  EXPECT_EQ(search(made, [](int step) { return step > -3 ? 100.0 + 10 * step : 99.0; }),
            (std::vector{0, 1, -1, -2, -3}));
  EXPECT_EQ(made.best(), -2);
}

TEST(packing_search, takes_larger_subtrees_that_take_as_long_but_no_smaller_ones) {
  packing_search made(1, 1);
  EXPECT_EQ(search(made, [](int) { return 100.0; }), (std::vector{0, 1, -1}));
  EXPECT_EQ(made.best(), -1);
}

TEST(packing_search, stays_within_the_steps_that_there_are) {
  packing_search none(0, 0), down(0, 1), up(1, 0);
  EXPECT_EQ(search(none, [](int) { return 1.0; }), (std::vector{0}));
  EXPECT_EQ(search(down, [](int step) { return 10.0 - step; }), (std::vector{0, 1}));
  EXPECT_EQ(search(up, [](int step) { return 10.0 + step; }), (std::vector{0, -1}));
}

}  // namespace
