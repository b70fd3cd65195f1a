#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <thread>

#include "jackdaw/detail/atomics.hpp"
#include "jackdaw/jackdaw.hpp"
#include "support/refuse_calls.hpp"
#include "support/schedulers.hpp"

namespace {

bool refuse() { return jackdaw::test::refuse_calls({{.number = SYS_membarrier, .error = EPERM}}); }

/// A leaf that runs until every task forked before it has begun elsewhere: forever, if one of them stays private.
void wait_in_a_leaf(jackdaw::runtime& rt) {
  std::atomic<int> begun{0};
  rt.run([&] {
    jackdaw::invoke(
        [&] {
          jackdaw::invoke(
              [&] {
                jackdaw::invoke(
                    [&] {
                      while (begun != 3) std::this_thread::yield();
                    },
                    [&] { ++begun; });
              },
              [&] { ++begun; });
        },
        [&] { ++begun; });
  });
}

TEST(no_membarrier, forks_before_a_long_leaf_are_stolen) {
  if (!refuse()) GTEST_SKIP() << "no seccomp filters here";
  ASSERT_FALSE(jackdaw::detail::hardware::heavy_fence());
  EXPECT_FALSE(jackdaw::detail::hardware::can_fence());
  for (const std::string& name : jackdaw::test::whole_schedulers()) {
    if (name == "adws:no-steal") continue;
    jackdaw::runtime rt({.scheduler = name, .workers = 2});
    for (int i = 0; i < 100; ++i) wait_in_a_leaf(rt);
  }
}

TEST(no_membarrier, threads_go_home_from_an_arena) {
  if (!refuse()) GTEST_SKIP() << "no seccomp filters here";
  for (const char* const name : {"random", "adws", "auto"}) {
    jackdaw::runtime rt({.scheduler = name, .workers = 2});
    jackdaw::arena all(rt);
    for (int i = 0; i < 20; ++i) {
      std::atomic<int> sum{0};
      all.async([&] { jackdaw::for_index(0, 100, [&](int each) { sum += each; }, jackdaw::grain{1}); }).get();
      EXPECT_EQ(sum, 4950);
      EXPECT_EQ(rt.async([] { return 1; }).get(), 1);
    }
  }
}

/// The threads that helped must not stay where an isolated task was: the runtime waits for them.
TEST(no_membarrier, runtimes_end_after_isolated_tasks) {
  if (!refuse()) GTEST_SKIP() << "no seccomp filters here";
  for (const char* const name : {"random", "adws", "auto"}) {
    jackdaw::runtime rt({.scheduler = name, .workers = 4});
    rt.run([] {
      jackdaw::isolate([] { jackdaw::for_index(0, 100, [](int) { std::this_thread::yield(); }, jackdaw::grain{1}); });
    });
  }
}

TEST(no_membarrier, low_arenas_get_idle_time) {
  if (!refuse()) GTEST_SKIP() << "no seccomp filters here";
  jackdaw::runtime rt({.scheduler = "random", .workers = 2});
  jackdaw::arena low(rt, {.priority = jackdaw::priority::low});
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(low.async([] { return 1; }).get() + rt.async([] { return 1; }).get(), 2);
  }
}

TEST(no_membarrier_death, is_told_once_when_a_runtime_starts) {
  // A process that starts after the filter is installed.
  if (!refuse()) GTEST_SKIP() << "no seccomp filters here";
  EXPECT_EXIT(
      {
        const jackdaw::runtime one({.workers = 2});
        jackdaw::runtime another({.scheduler = "random", .workers = 2});
        wait_in_a_leaf(another);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "^jackdaw: the kernel refuses membarrier, so that every fork takes a lock[^\n]*\n$");
}

}  // namespace
