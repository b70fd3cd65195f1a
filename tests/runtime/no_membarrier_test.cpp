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

/// A leaf that goes on until everything that was forked before it has begun elsewhere: forever, if any of it stays
/// private.
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

TEST(no_membarrier, what_is_forked_before_a_long_leaf_is_taken) {
  if (!refuse()) GTEST_SKIP() << "no seccomp filters here";
  ASSERT_FALSE(jackdaw::detail::hardware::heavy_fence());
  EXPECT_FALSE(jackdaw::detail::hardware::can_fence());
  for (const std::string& name : jackdaw::test::whole_schedulers()) {
    if (name == "adws:no-steal") continue;
    jackdaw::runtime rt({.scheduler = name, .workers = 2});
    for (int i = 0; i < 100; ++i) wait_in_a_leaf(rt);
  }
}

TEST(no_membarrier_death, is_told_once_when_a_runtime_starts) {
  // A process that is started after the filter is there.
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
