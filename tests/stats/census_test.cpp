#include "numa/census.hpp"
#include "support/sanitized.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace jackdaw::numa {
namespace {

TEST(census, anonymous_mappings_are_those_without_a_file) {
  const std::string maps =
      "55d0c0000000-55d0c0021000 rw-p 00000000 00:00 0                          [heap]\n"
      "7f0000000000-7f0000100000 rw-p 00000000 00:00 0 \n"
      "7f0000100000-7f0000200000 ---p 00000000 00:00 0 \n"
      "7f0000200000-7f0000300000 rw-p 00000000 08:01 77                         /lib/x.so\n"
      "7f0000300000-7f0000400000 rw-s 00000000 00:01 12                         /memfd:x (deleted)\n"
      "7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0                          [stack]\n"
      "7f0000500000-7f0000600000 rw-p 00000000 00:00 0                          [anon: mine]";
  EXPECT_EQ(anonymous_mappings(maps),
            (std::vector<mapping>{
                {0x55d0c0000000, 0x55d0c0021000}, {0x7f0000000000, 0x7f0000100000}, {0x7f0000500000, 0x7f0000600000}}));
  EXPECT_TRUE(anonymous_mappings("").empty());
  EXPECT_TRUE(anonymous_mappings("nonsense\n-\n12-zz rw-p 0 0 0\n zz-12 rw-p 0 0 0\n20-10 rw-p 0 0 0").empty());
}

TEST(census, what_the_runtime_has_mapped_is_left_out) {
  using mappings = std::vector<mapping>;
  EXPECT_EQ(without({{10, 20}, {30, 40}}, {}), (mappings{{10, 20}, {30, 40}}));
  EXPECT_EQ(without({{10, 20}, {30, 40}}, {{10, 20}}), (mappings{{30, 40}}));
  EXPECT_EQ(without({{10, 40}}, {{5, 12}, {20, 22}, {22, 24}, {39, 50}}), (mappings{{12, 20}, {24, 39}}));
  EXPECT_EQ(without({{10, 20}, {30, 40}}, {{0, 5}, {18, 32}, {50, 60}}), (mappings{{10, 18}, {32, 40}}));
  EXPECT_TRUE(without({{10, 20}, {30, 40}}, {{0, 100}}).empty());
}

TEST(census, tells_what_has_appeared_between_two_looks) {
  if (test::sanitized) GTEST_SKIP() << "sanitizers map memory between the looks";
  constexpr std::size_t bytes = std::size_t{4} << 20;
  auto* const memory =
      static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const auto since = [&](const census& of, std::uintptr_t at) {
    for (const census::piece& each : of.pieces()) {
      if (each.begin <= at && at < each.begin + each.bytes) return static_cast<int>(each.since);
    }
    return -1;
  };
  std::memset(memory, 1, bytes / 2);
  census seen(linux_kernel());
  seen.look(5);
  EXPECT_EQ(since(seen, begin + bytes / 4), 5);
  EXPECT_EQ(since(seen, begin + bytes / 4 * 3), -1);
  std::memset(memory + bytes / 2, 1, bytes / 2);
  seen.look(6);
  EXPECT_EQ(since(seen, begin + bytes / 4), 5);
  EXPECT_EQ(since(seen, begin + bytes / 4 * 3), 6);
  munmap(memory, bytes);
  seen.look(7);
  EXPECT_EQ(since(seen, begin + bytes / 4), -1);
}

}  // namespace
}  // namespace jackdaw::numa
