#include "sim/memory/runs.hpp"

#include <gtest/gtest.h>

namespace jackdaw::sim {
namespace {

TEST(recent_runs, only_the_first_bytes_of_a_run_are_slow) {
  recent_runs runs;
  EXPECT_EQ(runs.touch(0, 1000, 512, 4096), 1000u);
  EXPECT_EQ(runs.touch(1000, 5000, 512, 4096), 3096u);
  EXPECT_EQ(runs.touch(5064, 6000, 512, 4096), 0u);  // over a gap
  EXPECT_EQ(runs.touch(6512, 7000, 512, 4096), 488u);
}

TEST(recent_runs, what_is_touched_again_is_another_run) {
  recent_runs runs;
  EXPECT_EQ(runs.touch(0, 8192, 512, 4096), 4096u);
  EXPECT_EQ(runs.touch(0, 8192, 512, 4096), 4096u);
  EXPECT_EQ(runs.touch(8192, 9000, 512, 4096), 0u);
}

TEST(recent_runs, sixteen_are_remembered) {
  recent_runs runs;
  for (std::uint64_t row = 0; row < 16; ++row) EXPECT_EQ(runs.touch(row << 20, (row << 20) + 256, 512, 4096), 256u);
  EXPECT_EQ(runs.touch(256, 512, 512, 200), 256u);  // what is left of 4096
  runs.touch(std::uint64_t{99} << 20, (std::uint64_t{99} << 20) + 64, 512, 4096);
  EXPECT_EQ(runs.touch(512, 768, 512, 100), 100u);  // the oldest is forgotten
}

}  // namespace
}  // namespace jackdaw::sim
