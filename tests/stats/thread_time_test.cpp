#include "runtime/thread_time.hpp"

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <optional>
#include <thread>
#include <vector>

namespace jackdaw::detail {
namespace {

pid_t this_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

std::uint64_t processor_time() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(used.tv_nsec);
}

TEST(thread_time, a_running_thread_has_all_of_its_processor_time) {
  if (!read_thread_time(this_thread())) GTEST_SKIP() << "this kernel does not count";
  // Less than a tick each, and no look at the thread's clock, which would bring the kernel's file up to date.
  for (int i = 0; i < 20; ++i) {
    std::thread([] {
      const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(3);
      while (std::chrono::steady_clock::now() < until) {
      }
      const std::optional<thread_time> found = read_thread_time(this_thread());
      const std::uint64_t now = processor_time();
      ASSERT_TRUE(found);
      EXPECT_LE(found->cpu_ns, now);
      EXPECT_LE(now - found->cpu_ns, 1'000'000u);
    }).join();
  }
}

TEST(thread_time, another_thread_of_the_process_is_read) {
  if (!read_thread_time(this_thread())) GTEST_SKIP() << "this kernel does not count";
  const std::optional<thread_time> before = read_thread_time(this_thread());
  std::optional<thread_time> found;
  std::thread([&found, main = this_thread()] { found = read_thread_time(main); }).join();
  ASSERT_TRUE(found);
  EXPECT_GE(found->cpu_ns, before->cpu_ns);
  EXPECT_LE(found->cpu_ns, processor_time());
}

TEST(thread_time, a_thread_that_has_ended_has_none) {
  pid_t thread = 0;
  std::thread([&] { thread = this_thread(); }).join();
  EXPECT_FALSE(read_thread_time(thread));
}

TEST(thread_time, many_groups_make_the_kernels_file_long) {
  if (!read_thread_time(this_thread())) GTEST_SKIP() << "this kernel does not count";
  if (geteuid() != 0) GTEST_SKIP() << "only root may change its groups";
  const pid_t child = fork();
  if (child == 0) {
    for (std::size_t count = 0; count < 2000; count += 37) {
      const std::vector<gid_t> groups(count, 123456);
      if (setgroups(groups.size(), groups.data()) != 0) _exit(2);
      if (!read_thread_time(this_thread())) _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (status == 2 << 8) GTEST_SKIP() << "groups cannot be changed here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace jackdaw::detail
