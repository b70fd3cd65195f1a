// That what `jackdaw reproduce` is made of fits together; running it takes minutes.
#include "cli/reproduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "machine/model.hpp"
#include "sched/scheduler.hpp"
#include "sim/policy.hpp"

namespace jackdaw::cli {
namespace {

TEST(reproduction, adws_names_nothing_that_there_is_not) {
  const reproduction what = reproduce_adws();
  const machine_model machine = load_machine_model(what.machine);
  std::set<std::string> programs;
  for (const reproduction::program& each : what.programs) {
    EXPECT_TRUE(programs.insert(each.name).second) << each.name;
    const kernels::kernel* const kernel = kernels::find(each.kernel);
    ASSERT_NE(kernel, nullptr) << each.kernel;
    EXPECT_NE(std::find(kernel->sizes.begin(), kernel->sizes.end(), each.request.size), kernel->sizes.end());
    EXPECT_NE(std::find(kernel->shapes.begin(), kernel->shapes.end(), each.request.shape), kernel->shapes.end());
    EXPECT_GT(each.times.leaf + each.times.other, 0);
    EXPECT_FALSE(each.times.from.empty());
  }
  reproduction::times times;
  for (const reproduction::experiment& each : what.experiments) {
    EXPECT_TRUE(times.emplace(each.name, 1.0).second) << each.name;
    EXPECT_EQ(programs.count(each.program), 1u) << each.program;
    EXPECT_LE(each.workers, machine.cores());
    EXPECT_NE(sched::make_scheduler(each.scheduler), nullptr) << each.scheduler;
    EXPECT_NO_THROW(sim::parse_policy(each.placement, machine));
  }
  std::set<std::string> claims;
  for (const reproduction::claim& each : what.claims) {
    EXPECT_TRUE(claims.insert(each.what).second) << each.what;
    EXPECT_DOUBLE_EQ(each.figure(times), 1) << each.what;  // throws if it asks for an experiment that there is not
  }
}

TEST(reproduction, adws_claims_fail_where_adws_is_slow) {
  // If ADWS took as long as its rivals, what the paper says of it would have to be found not reproduced.
  const reproduction what = reproduce_adws();
  reproduction::times even;
  for (const reproduction::experiment& each : what.experiments) even[each.name] = 1;
  std::size_t failed = 0;
  for (const reproduction::claim& each : what.claims) failed += each.holds(even) ? 0 : 1;
  EXPECT_GE(failed, what.claims.size() / 2);
}

}  // namespace
}  // namespace jackdaw::cli
