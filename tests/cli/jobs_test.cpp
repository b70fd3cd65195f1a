#include "cli/simulate/jobs.hpp"

#include <gtest/gtest.h>
#include <jackdaw/error.hpp>

#include <atomic>
#include <limits>
#include <vector>

namespace jackdaw::cli {
namespace {

TEST(jobs, each_runs_once_and_no_more_at_the_same_time_than_allowed) {
  for (const unsigned at_once : {1U, 3U, 100U}) {
    std::vector<std::atomic<int>> runs(20);
    std::atomic<unsigned> now = 0;
    std::atomic<bool> too_many = false;
    run_jobs(runs.size(), at_once, [&](std::size_t job) {
      if (++now > at_once) too_many = true;
      ++runs[job];
      --now;
    });
    for (const auto& each : runs) EXPECT_EQ(each, 1);
    EXPECT_FALSE(too_many);
  }
}

TEST(jobs, an_error_reaches_the_caller) {
  for (const unsigned at_once : {1U, 2U})
    EXPECT_THROW(run_jobs(4, at_once, [](std::size_t) { throw error("no"); }), error);
}

TEST(jobs, fit_twice_their_size_into_half_of_the_memory) {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  EXPECT_EQ(jobs_within_memory(gib, 16, 64 * gib), 16);
  EXPECT_EQ(jobs_within_memory(gib, 16, 23 * gib), 5);
  EXPECT_EQ(jobs_within_memory(gib, 16, gib), 1);
  EXPECT_EQ(jobs_within_memory(0, 4, gib), 4);
}

TEST(jobs, available_memory_is_meminfos_line) {
  EXPECT_EQ(available_in("MemTotal:  100 kB\nMemAvailable:    20 kB\n"), 20 * 1024);
  EXPECT_EQ(available_in("MemTotal:  100 kB\n"), std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace jackdaw::cli
