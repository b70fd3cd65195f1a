#include "cli/bench/bench_run.hpp"

#include <gtest/gtest.h>
#include <jackdaw/error.hpp>

#include <utility>

#include "cli/fake_kernel.hpp"

namespace jackdaw::cli {
namespace {

bench_plan plan_for(const kernels::kernel& kernel) {
  bench_plan plan;
  plan.kernel = &kernel;
  plan.request.workers = plan.runtime_options.workers = 1;
  plan.schedulers = {"random"};
  plan.repeat = 2;
  plan.pause_ms = 0;
  return plan;
}

bench_result run(const bench_plan& plan) {
  guarded<bench_result> found;
  progress silent;
  run_bench(plan, found, silent);
  return std::move(found.value);
}

TEST(run_bench, sides_take_turns_and_every_run_is_prepared_and_checked) {
  std::string log;
  const kernels::kernel kernel = fake_kernel(log);
  bench_plan plan = plan_for(kernel);
  plan.against = {"good"};
  const bench_result result = run(plan);
  EXPECT_EQ(log, "pJ rJ cJ pG rG cG pJ rJ cJ pG rG cG pJ rJ cJ pG rG cG ");
  ASSERT_EQ(result.sides.size(), 2u);
  EXPECT_EQ(result.sides[0].label(), "jackdaw/random");
  EXPECT_EQ(result.sides[1].label(), "good");
  for (const side_result& side : result.sides) {
    EXPECT_EQ(side.samples.size(), 2u);
    EXPECT_EQ(side.items, 12);
    EXPECT_EQ(side.unit, "apples");
  }
  EXPECT_TRUE(result.sides[0].samples[0].counters);
  EXPECT_FALSE(result.sides[1].samples[0].counters);
}

TEST(run_bench, a_scheduler_may_be_compared_with_itself) {
  std::string log;
  const kernels::kernel kernel = fake_kernel(log);
  bench_plan plan = plan_for(kernel);
  plan.schedulers = {"random", "random"};
  plan.warm_up = 0;
  EXPECT_EQ(run(plan).sides.size(), 2u);
  EXPECT_EQ(log, "pJ rJ cJ pJ rJ cJ pJ rJ cJ pJ rJ cJ ");
}

TEST(run_bench, a_wrong_result_ends_it_and_names_the_side) {
  std::string log;
  const kernels::kernel kernel = fake_kernel(log);
  bench_plan plan = plan_for(kernel);
  plan.against = {"wrong"};
  try {
    run(plan);
    FAIL() << "the wrong result was not noticed";
  } catch (const kernels::check_failed& wrong) {
    EXPECT_STREQ(wrong.what(), "wrong: wrong result: 3 is not 4");
  }
  EXPECT_EQ(log, "pJ rJ cJ pW rW cW pJ rJ cJ pW rW cW ");
}

TEST(run_bench, an_unknown_side_is_refused_before_anything_runs) {
  std::string log;
  const kernels::kernel kernel = fake_kernel(log);
  bench_plan plan = plan_for(kernel);
  plan.against = {"evil"};
  try {
    run(plan);
    FAIL() << "there is no such side";
  } catch (const error& mistake) {
    EXPECT_STREQ(mistake.what(), "--against: fake has no side 'evil', expected one of good wrong");
  }
  EXPECT_EQ(log, "");
}

}  // namespace
}  // namespace jackdaw::cli
