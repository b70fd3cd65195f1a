#include "sim/memory/runs.hpp"

#include <gtest/gtest.h>

namespace jackdaw::sim {
namespace {

TEST(recent_runs, only_the_first_bytes_of_a_run_are_slow) {
  recent_runs runs;
  EXPECT_EQ(runs.touch(0, 1000, 512, 4096).bytes, 1000u);
  EXPECT_EQ(runs.touch(1000, 5000, 512, 4096).bytes, 3096u);
  EXPECT_EQ(runs.touch(5064, 6000, 512, 4096).bytes, 0u);  // over a gap
  EXPECT_EQ(runs.touch(6512, 7000, 512, 4096).bytes, 488u);
}

TEST(recent_runs, what_is_touched_again_is_another_run) {
  recent_runs runs;
  EXPECT_EQ(runs.touch(0, 8192, 512, 4096).bytes, 4096u);
  EXPECT_EQ(runs.touch(0, 8192, 512, 4096).bytes, 4096u);
  EXPECT_EQ(runs.touch(8192, 9000, 512, 4096).bytes, 0u);
}

TEST(recent_runs, a_touch_begins_a_run_or_goes_on_with_one) {
  recent_runs runs;
  EXPECT_TRUE(runs.touch(0, 64, 512, 4096).begins);
  EXPECT_FALSE(runs.touch(64, 128, 512, 4096).begins);
  EXPECT_TRUE(runs.touch(1024, 1088, 512, 4096).begins);
}

TEST(recent_runs, sixteen_are_remembered) {
  recent_runs runs;
  for (std::uint64_t row = 0; row < 16; ++row)
    EXPECT_EQ(runs.touch(row << 20, (row << 20) + 256, 512, 4096).bytes, 256u);
  EXPECT_EQ(runs.touch(256, 512, 512, 200).bytes, 256u);  // what is left of 4096
  runs.touch(std::uint64_t{99} << 20, (std::uint64_t{99} << 20) + 64, 512, 4096);
  EXPECT_EQ(runs.touch(512, 768, 512, 100).bytes, 100u);  // the oldest is forgotten
}

}  // namespace
}  // namespace jackdaw::sim
