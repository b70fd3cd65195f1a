#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <cstdlib>
#include <latch>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/memory/this_node.hpp"
#include "support/fib.hpp"
#include "support/in_child.hpp"
#include "support/schedulers.hpp"

#if !defined(JACKDAW_TSAN)
// ThreadSanitizer does not let the child of a fork of several threads start one.

namespace {

using jackdaw::runtime;
using jackdaw::test::fib;
using jackdaw::test::fork_and_wait;
using jackdaw::test::in_child;

unsigned fib_in_groups(unsigned n, jackdaw::policy order) {
  if (n < 2) return n;
  unsigned a = 0;
  unsigned b = 0;
  jackdaw::task_group group(order);
  group.run([&] { a = fib_in_groups(n - 1, order); });
  group.run([&] { b = fib_in_groups(n - 2, order); });
  group.wait();
  return a + b;
}

/// Everything that a task may do, on any runtime.
bool all_is_well() {
  std::vector<int> values(5000);
  jackdaw::for_index(std::size_t{0}, values.size(), [&](std::size_t i) { values[i] = static_cast<int>(i); });
  return fib(15) == 610 && fib_in_groups(12, jackdaw::policy::work_first) == 144 &&
         fib_in_groups(12, jackdaw::policy::help_first) == 144 &&
         std::accumulate(values.begin(), values.end(), 0) == 5000 * 4999 / 2;
}

TEST(fork, a_runtime_of_ones_own_starts_anew_in_the_child) {
  for (const std::string& name : jackdaw::test::whole_schedulers()) {
    runtime rt({.scheduler = name, .workers = 3});
    EXPECT_EQ(rt.run([] { return fib(10); }), 55u);
    const auto how = in_child([&] {
      if (rt.workers() != 3 || rt.scheduler() != name) return 1;
      std::atomic<bool> well{true};
      std::vector<std::thread> senders;
      for (int i = 0; i < 4; ++i) {
        senders.emplace_back([&] {
          if (!rt.run(all_is_well)) well = false;
        });
      }
      for (std::thread& each : senders) each.join();
      static_cast<void>(rt.data());
      return well ? 0 : 2;
    });
    EXPECT_EQ(how.status, 0) << name << ": " << how.said;
    EXPECT_EQ(rt.run([] { return fib(10); }), 55u);
  }
}

TEST(fork, grandchildren_start_theirs) {
  runtime rt({.workers = 2});
  EXPECT_EQ(in_child([&] {
              if (rt.run([] { return fib(10); }) != 55) return 1;
              return in_child([&] { return rt.run([] { return fib(11); }) == 89 ? 0 : 1; }).status;
            }).status,
            0);
}

TEST(fork, a_runtime_ends_in_the_child_without_the_threads_that_it_has_not) {
  auto* const unused = new runtime({.workers = 2});
  auto* const used = new runtime({.workers = 2});
  EXPECT_EQ(in_child([&] {
              delete unused;
              if (used->run([] { return fib(10); }) != 55) return 1;
              delete used;
              return 0;
            }).status,
            0);
  delete unused;
  delete used;
}

// The thread that sends the first root of a runtime registers a handler for exit(), and so does the child of a fork()
// at that moment.
TEST(fork, while_threads_send_the_first_roots_of_runtimes) {
  runtime rt({.workers = 1});
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      while (!stop) runtime({.workers = 1}).run([] {});
    });
  }
  for (int round = 0; round < 300 && !HasFailure(); ++round) {
    const auto how = in_child([&] { return rt.run([] { return fib(10); }) == 55 ? 0 : 1; });
    EXPECT_EQ(how.status, 0) << "round " << round << ": " << how.said;
  }
  stop = true;
  for (std::thread& each : threads) each.join();
}

// Unloading a plugin holds the C library's list of functions to run at exit, for as long as there are many of them.
TEST(fork, while_hwloc_unloads_plugins) {
  const auto how = in_child([] {
    setenv("HWLOC_PLUGINS_PATH", JACKDAW_TEST_HWLOC_PLUGINS, 1);
    for (int i = 0; i < 300'000; ++i) {
      if (std::at_quick_exit([] {}) != 0) return 1;
    }
    runtime rt({.workers = 1});
    std::atomic<bool> stop{false};
    std::thread reads([&] {
      while (!stop) runtime({.workers = 1});
    });
    bool well = true;
    for (int round = 0; round < 30 && well; ++round) {
      well = in_child([&] { return rt.run([] { return fib(10); }) == 55 ? 0 : 1; }).status == 0;
    }
    stop = true;
    reads.join();
    return well ? 0 : 2;
  });
  EXPECT_EQ(how.status, 0) << how.said;
}

TEST(fork, child_of_a_task_continues_alone) {
  for (const std::string& name : jackdaw::test::whole_schedulers()) {
    for (int attempt = 0; attempt < 5; ++attempt) {
      runtime rt({.scheduler = name, .workers = 3});
      std::atomic<bool> stop{false};
      // So that the others are in the middle of something when it forks.
      std::thread busy([&] {
        while (!stop) rt.run([] { fib(12); });
      });
      const auto how = rt.run([] { return in_child([] { return all_is_well() ? 0 : 1; }); });
      stop = true;
      busy.join();
      EXPECT_EQ(how.status, 0) << name << ": " << how.said;
    }
  }
}

TEST(fork, child_of_a_task_has_runtimes_like_any_process) {
  runtime rt({.workers = 2});
  runtime other({.workers = 2});
  const auto how = rt.run([&] {
    return in_child([&] {
      if (!other.run(all_is_well)) return 1;
      if (!rt.run(all_is_well)) return 2;
      bool well = false;
      std::thread([&] { well = runtime::instance().run(all_is_well); }).join();
      return well ? 0 : 3;
    });
  });
  EXPECT_EQ(how.status, 0) << how.said;
}

TEST(fork, child_of_a_task_is_not_bound_to_the_workers_processor) {
  runtime rt({.workers = 1});
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  const auto how = rt.run([&] {
    return in_child([&] {
      cpu_set_t here;
      return sched_getaffinity(0, sizeof here, &here) == 0 && CPU_EQUAL(&here, &all) ? 0 : 1;
    });
  });
  EXPECT_EQ(how.status, 0);
}

TEST(fork, child_of_a_task_ends_where_the_task_does) {
  for (const std::string& name : jackdaw::test::whole_schedulers()) {
    runtime rt({.scheduler = name, .workers = 2});
    const auto how = rt.run([] { return fork_and_wait(); });
    ASSERT_TRUE(how.has_value()) << "the child has come back to the thread that waited for the root";
    EXPECT_EQ(how->status, 1) << name;
    EXPECT_NE(how->said.find("jackdaw: in the child of a fork(), a task that began in the parent process has ended"),
              std::string::npos)
        << name << ": " << how->said;
  }
}

TEST(fork, child_of_a_task_ends_at_a_join_with_what_the_parent_runs) {
  runtime rt({.scheduler = "random", .workers = 2});
  std::optional<jackdaw::test::ending> how;
  rt.run([&] {
    std::latch taken(1);
    std::latch ended(1);
    jackdaw::invoke(
        [&] {
          taken.wait();
          how = fork_and_wait();
          if (how) ended.count_down();
        },
        [&] {
          taken.count_down();
          ended.wait();
        });
  });
  ASSERT_TRUE(how.has_value());
  EXPECT_EQ(how->status, 1);
  EXPECT_NE(how->said.find("a task waits for work that only the parent process has"), std::string::npos) << how->said;
}

TEST(fork, child_of_a_thread_ends_at_the_wait_of_a_group_that_the_parent_runs) {
  std::latch ended(1);
  jackdaw::task_group group;
  group.run([&] { ended.wait(); });
  const auto how = in_child([&] {
    group.wait();
    return 0;
  });
  EXPECT_EQ(how.status, 1);
  EXPECT_NE(how.said.find("a group is waited for whose children only the parent process has"), std::string::npos)
      << how.said;
  ended.count_down();
  group.wait();
}

TEST(fork, groups_of_threads_work_in_the_child) {
  jackdaw::task_group(jackdaw::policy::help_first).run([] {});
  EXPECT_EQ(in_child([] {
              std::atomic<int> sum{0};
              jackdaw::task_group group;
              for (int i = 1; i <= 10; ++i) {
                group.run([&sum, i] { sum += i; });
              }
              group.wait();
              return sum == 55 ? 0 : 1;
            }).status,
            0);
}

/// Another thread is almost always reading the machine while the process is forked.
TEST(fork, the_child_can_ask_for_the_machine) {
  std::atomic<bool> stop{false};
  std::atomic<int> rounds{0};
  std::thread reader([&] {
    for (int i = 0; !stop; ++i) {
      // The environment is changed under the lock that the C library holds while it forks.
      setenv("HWLOC_SYNTHETIC", i % 2 == 0 ? "package:8 l3:1 core:8 pu:2" : "package:4 l3:1 core:8 pu:2", 1);
      jackdaw::detail::machine_here();
      ++rounds;
    }
    unsetenv("HWLOC_SYNTHETIC");
  });
  while (rounds == 0) std::this_thread::yield();
  for (int child = 0; child < 10; ++child) {
    const auto how = in_child([] { return jackdaw::detail::machine_here()->packages.size() % 4 == 0 ? 0 : 1; });
    EXPECT_EQ(how.status, 0) << how.said;
    if (how.status != 0) break;
  }
  stop = true;
  reader.join();
}

}  // namespace
#endif
