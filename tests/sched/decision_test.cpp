#include "sched/decision.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace jackdaw::sched {
namespace {

TEST(decision, says_what_its_number_means) {
  static constexpr decision one{"one", {"always"}}, two{"two", {"for 0", "else"}},
      three{"three", {"for 0", "for 1", "else"}, decision::holds::nothing};
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{-1},
                                   std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(one.in_words(value), "always");
    EXPECT_EQ(two.in_words(value), value == 0 ? "for 0" : "else");
    EXPECT_EQ(three.in_words(value), value == 0 ? "for 0" : value == 1 ? "for 1" : "else");
  }
}

}  // namespace
}  // namespace jackdaw::sched
