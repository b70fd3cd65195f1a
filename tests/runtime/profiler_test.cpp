#include "runtime/profiler.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "numa/locate.hpp"
#include "numa/numa_kernel.hpp"
#include "profile/fake_perf.hpp"
#include "profile/forced_processor.hpp"
#include "runtime/threads.hpp"
#include "support/untouched.hpp"

namespace jackdaw::test {
namespace {

using detail::profiler;

std::uint64_t worked(const profiler& of) { return of.last(0).instructions; }

void work_for_a_while() {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(100)) continue;
}

/// Of a processor without counters.
class declared_profile : public testing::Test {
 protected:
  void SetUp() override {
    kernel.refused_opens[1] = ENOENT;
    ASSERT_EQ(counting.listen(0, true), sched::evidence::declared);
    counting.read(0);
  }
  fake_perf kernel;
  profiler counting{{64 << 10}, true, kernel};
};

TEST_F(declared_profile, times_work) {
  const std::uint64_t before = worked(counting);
  // An interrupted task may take a page fault that it did not cause, and is then not timed.
  while (worked(counting) == before) {
    work_for_a_while();
    counting.read(0);
  }
  EXPECT_GE(worked(counting) - before, 100000u);
}

TEST_F(declared_profile, does_not_time_first_touches) {
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

TEST_F(declared_profile, does_not_time_earlier_work) {
  counting.listen(0, false);
  const std::uint64_t before = worked(counting);
  counting.read(0);
  counting.listen(0, true);
  counting.read(0);
  EXPECT_EQ(worked(counting), before);
}

TEST_F(declared_profile, does_not_know_the_source_of_data) {
  EXPECT_FALSE(counting.counts_memory());
  EXPECT_EQ(counting.last(0).local + counting.last(0).remote, 0u);
}

/// Of a processor that counts 10 misses, 20 instructions, 30 lines from local and 40 from remote memory.
class counted_profile : public on_forced_processor {
 protected:
  sched::counts counted_by(profiler& counting) {
    EXPECT_EQ(counting.listen(0, true), sched::evidence::counters);
    counting.read(0);
    EXPECT_EQ(counting.last(0).misses, 10u);
    EXPECT_EQ(counting.last(0).instructions, 20u);
    return counting.last(0);
  }
  void expect_no_memory_counted(profiler& counting) {
    const sched::counts counted = counted_by(counting);
    EXPECT_FALSE(counting.counts_memory());
    EXPECT_EQ(counted.local + counted.remote, 0u);
  }
  fake_perf kernel;
};

TEST_F(counted_profile, has_local_and_remote_lines) {
  profiler counting({64 << 10}, true, kernel);
  const sched::counts counted = counted_by(counting);
  EXPECT_TRUE(counting.counts_memory());
  EXPECT_EQ(counted.local, 30u);
  EXPECT_EQ(counted.remote, 40u);
}

TEST_F(counted_profile, does_not_count_local_lines_of_misplaced_workers) {
  profiler counting({64 << 10}, false, kernel);
  expect_no_memory_counted(counting);
}

TEST_F(counted_profile, drops_them_if_they_do_not_fit) {
  kernel.refused_opens[1 + 4] = EINVAL;  // after the first look
  profiler counting({64 << 10}, true, kernel);
  expect_no_memory_counted(counting);
}

/// What a scheduler sees of the only worker, in the middle of a task that has declared to read 1024 lines.
sched::counts seen_by_scheduler(profile::perf_calls& kernel) {
  const machine where = machine::detect();
  detail::threads engine(sched::make_scheduler("random", {}), where, where.place_workers(1, placement_order::scatter),
                         1 << 16, nullptr, profile::thread_samples(), kernel);
  std::vector<char> data(64 << 10, 1);
  auto program = [&] {
    engine.counter().profile(0, true);
    reads(data.data(), data.size());
    const sched::counts seen = engine.counter().counts_of(0);
    engine.counter().profile(0, false);
    return seen;
  };
  detail::root_of<decltype(program)> root(program);
  engine.send(root);
  root.wait();
  return root.result();
}

TEST_F(counted_profile, is_preferred_to_the_nodes_of_declared_pages) {
  const sched::counts counted = seen_by_scheduler(kernel);
  EXPECT_EQ(counted.local, 30u);
  EXPECT_EQ(counted.remote, 40u);
  fake_perf refusing;
  refusing.refused_opens[1] = ENOENT;
  const sched::counts declared = seen_by_scheduler(refusing);
  int refusal = 0;
  const std::vector<char> page(1, 1);
  numa::nodes_of(numa::linux_kernel(), {const_cast<char*>(page.data())}, refusal);
  EXPECT_EQ(declared.local + declared.remote, refusal == 0 ? 1024u : 0u) << "the kernel tells where pages are, or not";
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

TEST(recent_accesses, are_all_missed_if_the_cache_is_unknown) {
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
