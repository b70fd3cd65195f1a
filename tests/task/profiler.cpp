#include "task/profiler.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "support/untouched.hpp"

namespace jackdaw::test {
namespace {

using detail::profiler;

std::uint64_t worked(const profiler& of) { return of.last(0).instructions; }

void work_for_a_while() {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(100)) continue;
}

/// Where nothing else than declared accesses can be counted; elsewhere time is of no interest.
class declared_profile : public testing::Test {
 protected:
  void SetUp() override {
    if (counting.listen(0, true) != sched::evidence::declared) GTEST_SKIP() << "the processor's counters count here";
    counting.read(0);
  }
  profiler counting{{64 << 10}};
};

TEST_F(declared_profile, times_work) {
  const std::uint64_t before = worked(counting);
  // An interrupted one may take a fault of somebody else's making, and is not timed.
  while (worked(counting) == before) {
    work_for_a_while();
    counting.read(0);
  }
  EXPECT_GE(worked(counting) - before, 100000u);
}

TEST_F(declared_profile, does_not_time_what_touches_memory_first) {
  untouched memory(64);
  const std::uint64_t before = worked(counting);
  for (std::size_t i = 0; i != 64; ++i) {
    memory[i * untouched::page()] = 1;
    work_for_a_while();
    counting.read(0);
  }
  EXPECT_EQ(worked(counting), before);
}

TEST_F(declared_profile, does_not_time_idleness) {
  const std::uint64_t before = worked(counting);
  work_for_a_while();
  counting.resume(0);
  EXPECT_EQ(worked(counting), before);
}

TEST_F(declared_profile, does_not_time_what_was_before_it) {
  counting.listen(0, false);
  const std::uint64_t before = worked(counting);
  counting.read(0);
  counting.listen(0, true);
  counting.read(0);
  EXPECT_EQ(worked(counting), before);
}

TEST(recent_accesses, are_no_misses_while_their_blocks_have_their_places) {
  detail::recent_accesses cache(64 << 10);
  constexpr std::uintptr_t at = 1 << 20;
  EXPECT_EQ(cache.missed({.begin = at, .length = 32 << 10}), 512u);
  EXPECT_EQ(cache.missed({.begin = at + 4096, .length = 4096, .write = true}), 0u);
  EXPECT_EQ(cache.missed({.begin = at + (32 << 10) - 512, .length = 1024}), 8u) << "half of it is new";
  EXPECT_EQ(cache.missed({.begin = at + (32 << 10), .length = 100, .rows = 3, .stride = 4096}), 4u);
  EXPECT_EQ(cache.missed({.begin = at + (32 << 10) + 512, .length = 64}), 1u);
  EXPECT_EQ(cache.missed({.begin = at + (32 << 10) + 576, .length = 64}), 0u) << "of the same 256 bytes";
  // 64 KiB more take the place of all that was there.
  EXPECT_EQ(cache.missed({.begin = at + (64 << 10), .length = 64 << 10}), 1024u);
  EXPECT_EQ(cache.missed({.begin = at, .length = 32 << 10}), 512u);
  cache.forget();
  EXPECT_EQ(cache.missed({.begin = at, .length = 32 << 10}), 512u);
}

TEST(recent_accesses, are_all_missed_where_the_cache_is_not_known) {
  detail::recent_accesses unknown(0);
  const detail::declared_access some{.begin = 1 << 20, .length = 4096};
  EXPECT_EQ(unknown.missed(some), 64u);
  EXPECT_EQ(unknown.missed(some), 64u);
}

TEST_F(declared_profile, begins_with_an_empty_cache) {
  const detail::declared_access some{.begin = 1 << 20, .length = 4096};
  const auto missed = [&] {
    const std::uint64_t before = counting.last(0).misses;
    counting.declare(0, some);
    return counting.last(0).misses - before;
  };
  EXPECT_EQ(missed(), 64u);
  EXPECT_EQ(missed(), 0u);
  counting.listen(0, false);
  counting.listen(0, true);
  EXPECT_EQ(missed(), 64u);
}

}  // namespace
}  // namespace jackdaw::test
