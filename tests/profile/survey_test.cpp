// The survey of a computer's counters, on a processor that libpfm4 is told to assume.
#include <gtest/gtest.h>

#include <cerrno>

#include "profile/counters/counter_events.hpp"
#include "profile/counters/thread_counters.hpp"
#include "profile/fake_perf.hpp"
#include "profile/forced_processor.hpp"

namespace jackdaw::profile {
namespace {

using reason = counter_failure::reason;
using test::fake_perf;

class survey : public test::on_forced_processor {};

TEST_F(survey, reports_the_events_or_a_reason) {
  fake_perf kernel;
  const counter_survey good = survey_counters(kernel);
  EXPECT_FALSE(good.failure);
  ASSERT_TRUE(good.events);
  EXPECT_EQ(good.events->pmu, "skx");
  EXPECT_TRUE(good.events->memory);
  kernel.refused_enable = ENOENT;
  const counter_survey refused = survey_counters(kernel);
  ASSERT_TRUE(refused.failure.has_value());
  EXPECT_EQ(refused.failure->why, reason::absent);
  EXPECT_EQ(refused.failure->code, ENOENT);
  ASSERT_TRUE(refused.events);
  EXPECT_TRUE(refused.events->memory) << "what would have been opened";
  EXPECT_TRUE(kernel.events.empty());
}

TEST_F(survey, drops_the_counters_of_memory_if_they_do_not_fit) {
  fake_perf kernel;
  kernel.refused_opens[4] = EINVAL;  // after a miss, the instructions and one of memory's
  const counter_survey found = survey_counters(kernel);
  EXPECT_FALSE(found.failure);
  ASSERT_TRUE(found.events);
  EXPECT_FALSE(found.events->memory);
  EXPECT_EQ(kernel.opens, 6);
  EXPECT_TRUE(kernel.events.empty());
}

}  // namespace
}  // namespace jackdaw::profile
