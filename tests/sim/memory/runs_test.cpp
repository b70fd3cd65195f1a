#include "sim/memory/runs.hpp"

#include <gtest/gtest.h>

namespace jackdaw::sim {
namespace {

TEST(recent_runs, only_the_first_bytes_of_a_run_are_slow) {
  recent_runs runs;
  EXPECT_EQ(runs.touch(0, 1024, 512, 4096).bytes, 1024u);
  EXPECT_EQ(runs.touch(1024, 5056, 512, 4096).bytes, 3072u);
  EXPECT_EQ(runs.touch(5120, 6016, 512, 4096).bytes, 0u);  // over a gap
  EXPECT_EQ(runs.touch(6528, 7040, 512, 4096).bytes, 512u);
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

TEST(recent_runs, a_line_comes_as_a_whole_and_once) {
  recent_runs runs;
  EXPECT_EQ(runs.touch(4100, 4104, 512, 4096).bytes, 64u);
  EXPECT_EQ(runs.touch(4104, 4108, 512, 4096).bytes, 0u);
  EXPECT_EQ(runs.touch(4156, 4164, 512, 4096).bytes, 64u);  // the line after it
}

TEST(recent_runs, what_is_written_after_it_was_read_goes_on_with_the_same_run) {
  recent_runs runs;
  for (std::uint64_t at = 0; at < 65536; at += 4096) {
    EXPECT_EQ(runs.touch(at, at + 4096, 512, 1024).begins, at == 0);
    EXPECT_FALSE(runs.touch(at, at + 4096, 512, 1024).begins);
  }
}

TEST(recent_runs, do_not_go_on_elsewhere) {
  recent_runs runs;
  runs.touch(0, 4096, 512, 4096);
  EXPECT_TRUE(runs.touch(4096, 8192, 512, 4096, 4096).begins);
  EXPECT_FALSE(runs.touch(8192, 9000, 512, 4096, 0).begins);
  EXPECT_FALSE(runs.touch(9000, 9100, 512, 4096, 8192).begins);
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
