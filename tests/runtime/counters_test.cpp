#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <jackdaw/jackdaw.hpp>

#include "runtime/counter_page.hpp"
#include "support/sanitized.hpp"

namespace jackdaw {
namespace {

using std::chrono::milliseconds;

/// While it lives, new runtimes are on a machine with this description in hwloc's form.
class described_topology {
 public:
  explicit described_topology(const char* text) { setenv("HWLOC_SYNTHETIC", text, 1); }
  ~described_topology() { unsetenv("HWLOC_SYNTHETIC"); }
  described_topology(const described_topology&) = delete;
  described_topology& operator=(const described_topology&) = delete;
};

/// Whether the system tells where a page is.
bool pages_can_be_found(void* of) {
  int node = -1;
  return syscall(SYS_move_pages, 0, 1UL, &of, nullptr, &node, 0) == 0 && node >= 0;
}

/// Forks until another worker has taken some tasks, at most for ten seconds.
void fork_until_stolen(runtime& rt) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  do {
    rt.run([] {
      task_group group;
      for (int i = 0; i < 64; ++i) group.run([] { std::this_thread::sleep_for(std::chrono::microseconds(50)); });
      group.wait();
    });
  } while (rt.stats().steals_local + rt.stats().steals_remote < 8 && std::chrono::steady_clock::now() < end);
}

std::size_t open_pages() {
  std::size_t found = 0;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(each.path(), gone).native();
    found += target.find(detail::counter_page::file_name) != std::string::npos;
  }
  return found;
}

TEST(counters, of_workers_add_up_to_those_of_the_runtime) {
  runtime rt({.scheduler = "random", .workers = 3});
  fork_until_stolen(rt);
  const std::vector<statistics> workers = rt.counters();
  ASSERT_EQ(workers.size(), 3u);
  statistics sum;
  for (const statistics& each : workers) sum += each;
  const statistics all = rt.stats();
  EXPECT_EQ(sum.roots, all.roots);
  EXPECT_EQ(sum.steals_local, all.steals_local);
  EXPECT_GT(all.steals_local, 0u);
  EXPECT_LE(all.steals_core + all.steals_cache, all.steals_local);
  EXPECT_LE(all.failed_remote, all.failed_steals);
  EXPECT_GE(all.tasks, all.roots + all.steals_local);
  EXPECT_GT(all.roots, 0u);
}

TEST(counters, of_steals_tell_where_the_victim_is) {
  const described_topology two("package:2 l3:1 core:1 pu:1");
  runtime rt({.scheduler = "random", .workers = 2});
  fork_until_stolen(rt);
  const statistics all = rt.stats();
  EXPECT_GT(all.steals_remote, 0u);
  EXPECT_EQ(all.steals_local, 0u);
  EXPECT_GT(all.failed_remote, 0u);
  EXPECT_EQ(all.failed_remote, all.failed_steals);
}

TEST(counters, of_steals_tell_core_and_cache_apart) {
  const auto counted_on = [](const char* topology) {
    const described_topology as(topology);
    runtime rt({.scheduler = "random", .workers = 2});
    fork_until_stolen(rt);
    return rt.stats();
  };
  const statistics threads = counted_on("package:1 l3:1 core:1 pu:2");
  EXPECT_EQ(threads.steals_core, threads.steals_local);
  const statistics cores = counted_on("package:1 l3:1 core:2 pu:1");
  EXPECT_EQ(cores.steals_cache, cores.steals_local);
  EXPECT_EQ(cores.steals_core, 0u);
  const statistics caches = counted_on("package:1 l3:2 core:1 pu:1");
  EXPECT_EQ(caches.steals_cache + caches.steals_core, 0u);
  EXPECT_GT(caches.steals_local, 0u);
}

TEST(counters, of_time_without_work_grow_while_it_lasts) {
  runtime rt({.workers = 2});
  rt.run([] {});
  rt.reset_stats();
  std::this_thread::sleep_for(milliseconds(50));
  for (const statistics& each : rt.counters()) {
    EXPECT_GE(each.search_ns + each.sleep_ns, 25'000'000u);
  }
  const std::uint64_t before = rt.stats().sleep_ns;
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_GT(rt.stats().sleep_ns, before);
}

/// A worker begins as one that searches, and may find its first root at its first look.
TEST(counters, of_the_first_root_are_those_of_a_busy_worker) {
  runtime rt({.workers = 1});
  std::uint64_t idle = 1;
  rt.run([&] {
    const statistics before = rt.counters().at(0);
    const auto end = std::chrono::steady_clock::now() + milliseconds(30);
    while (std::chrono::steady_clock::now() < end) {
    }
    const statistics after = rt.counters().at(0);
    idle = after.search_ns + after.sleep_ns - before.search_ns - before.sleep_ns;
  });
  EXPECT_EQ(idle, 0u);
}

TEST(counters, of_a_busy_worker_have_no_idle_time) {
  runtime rt({.workers = 1});
  rt.run([] {});
  rt.reset_stats();
  std::uint64_t idle = 1;
  rt.run([&] {
    const statistics before = counters().at(0);
    const auto end = std::chrono::steady_clock::now() + milliseconds(30);
    while (std::chrono::steady_clock::now() < end) {
    }
    const statistics after = counters().at(0);
    idle = after.search_ns + after.sleep_ns - before.search_ns - before.sleep_ns;
  });
  EXPECT_EQ(idle, 0u);
}

TEST(counters, tell_which_placed_tasks_ran_at_home) {
  const described_topology two("package:2 numa:1 core:1 pu:1");
  runtime rt({.workers = 2});
  rt.run([] {
    task_group group;
    for (int i = 0; i < 100; ++i) {
      group.run(on(static_cast<unsigned>(i % 2)), [] { std::this_thread::sleep_for(std::chrono::microseconds(20)); });
    }
    group.wait();
  });
  EXPECT_GE(rt.stats().at_home + rt.stats().away, 100u);
}

TEST(counters, of_declared_bytes_are_all_there_if_asked_for) {
  std::vector<char> data(std::size_t{1} << 20, 'x');
  if (!pages_can_be_found(data.data())) GTEST_SKIP() << "move_pages is refused here";
  const auto declared_in = [&](const options& how) {
    runtime rt(how);
    rt.run([&] {
      for (int i = 0; i < 10; ++i) reads(data.data(), data.size());
    });
    const statistics all = rt.stats();
    return all.local_bytes + all.remote_bytes;
  };
  EXPECT_EQ(declared_in({.scheduler = "random", .workers = 1}), 0u);
  EXPECT_EQ(declared_in({.scheduler = "random", .workers = 1, .count_accesses = true}), 10 * data.size());
  EXPECT_EQ(declared_in({.scheduler = "random", .workers = 1}), 0u);
}

TEST(counters, of_the_default_runtime) {
  runtime::instance().run([] {});
  std::uint64_t roots = 0;
  for (const statistics& each : counters()) roots += each.roots;
  EXPECT_GE(roots, 1u);
}

TEST(counter_page, leaves_no_file_open) {
  const std::size_t before = open_pages();
  {
    runtime one({.workers = 1}), another({.workers = 2});
    EXPECT_EQ(open_pages(), before + 2);
  }
  EXPECT_EQ(open_pages(), before);
}

/// A program may close all files that it does not know, and open others under their numbers.
TEST(counter_page, closes_no_file_that_has_taken_its_number) {
  int taken = -1;
  {
    detail::counter_page page(1, "random");
    for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      if (std::filesystem::read_symlink(each.path(), gone).native().find("jackdaw-counters") != std::string::npos) {
        taken = std::stoi(each.path().filename());
      }
    }
    ASSERT_GE(taken, 0);
    const int other = open("/dev/null", O_RDONLY);
    ASSERT_EQ(dup2(other, taken), taken);
    close(other);
    page.of(0).tasks.add();
    EXPECT_EQ(page.of(0).tasks.get(), 1u);
  }
  EXPECT_NE(fcntl(taken, F_GETFD), -1);
  close(taken);
}

/// A program may have a small limit for files, which memory files count against.
TEST(counter_page, is_private_under_a_small_limit_for_files) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    detail::counter_page page(2, "random");
    page.of(1).tasks.add(3);
    _exit(page.of(1).tasks.get() == 3 ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(counter_page, of_a_parent_does_not_change_in_its_child) {
  detail::counter_page page(1, "random");
  page.of(0).tasks.add(5);
  const pid_t child = fork();
  if (child == 0) {
    page.leave_to_parent();
    page.of(0).tasks.add(100);
    _exit(page.of(0).tasks.get() == 100 ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(page.of(0).tasks.get(), 5u);
}

TEST(counters, of_a_parent_do_not_change_while_its_child_runs_tasks) {
  if (test::under_tsan) GTEST_SKIP() << "ThreadSanitizer lets the child of a fork() start no threads";
  runtime rt({.workers = 2});
  rt.run([] {});
  const std::uint64_t before = rt.stats().roots;
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 10; ++i) rt.run([] {});
    _exit(rt.stats().roots == 10 ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(rt.stats().roots, before);
}

}  // namespace
}  // namespace jackdaw
