#include "jackdaw/runtime.hpp"

#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/detail/atomics.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/jackdaw.hpp"
#include "support/error_of.hpp"
#include "support/fib.hpp"

namespace {

using jackdaw::options;
using jackdaw::runtime;
using jackdaw::test::fib;

std::string refusal(const options& how) {
  try {
    const runtime rt(how);
  } catch (const jackdaw::error& refused) {
    return refused.what();
  }
  return "none";
}

TEST(runtime, returns_values_references_and_exceptions) {
  runtime rt({.workers = 2});
  int value = 5;
  EXPECT_EQ(rt.run([] { return 3; }), 3);
  EXPECT_EQ(&rt.run([&]() -> int& { return value; }), &value);
  int&& same = rt.run([&]() -> int&& { return std::move(value); });
  EXPECT_EQ(&same, &value);
  // NOLINTNEXTLINE(readability-const-return-type): users write that
  EXPECT_EQ(rt.run([]() -> const std::string { return "four"; }), "four");
  EXPECT_THROW(rt.run([]() -> int { throw std::logic_error("x"); }), std::logic_error);
}

TEST(runtime, started_by_a_pinned_worker_or_its_thread_has_as_many_workers) {
  runtime outer;
  const unsigned expected = runtime().workers();
  unsigned in_task = 0, in_thread = 0;
  outer.run([&] {
    in_task = runtime().workers();
    std::thread([&] { in_thread = runtime().workers(); }).join();
  });
  EXPECT_EQ(in_task, expected);
  EXPECT_EQ(in_thread, expected);
}

/// A runtime without pinning does not inherit its maker's affinity.
TEST(runtime, made_by_a_pinned_worker_may_use_all_processors) {
  const auto processors = [] {
    cpu_set_t may;
    EXPECT_EQ(sched_getaffinity(0, sizeof may, &may), 0);
    return CPU_COUNT(&may);
  };
  const int all = processors();
  runtime outer;
  int in_task = 0;
  outer.run([&] {
    runtime inner({.workers = 1, .pin = false});
    in_task = inner.run(processors);
  });
  EXPECT_EQ(in_task, all);
}

TEST(runtime, calls_a_function_that_is_run_on_its_own_worker) {
  runtime rt({.workers = 2});
  EXPECT_EQ(rt.run([&] { return rt.run([] { return fib(10); }); }), 55u);
}

TEST(runtime, may_run_inside_another_ones_task) {
  runtime outer({.workers = 2});
  EXPECT_EQ(outer.run([] {
    runtime inner({.scheduler = "random", .workers = 2});
    return inner.run([] { return fib(12); });
  }),
            144u);
}

TEST(runtime, may_be_made_many_times) {
  for (int i = 0; i < 50; ++i) {
    runtime rt({.workers = 1 + static_cast<unsigned>(i) % 4});
    EXPECT_EQ(rt.run([] { return fib(8); }), 21u);
  }
}

TEST(runtime, stops_without_having_done_anything) {
  const runtime rt({.workers = 4});
  EXPECT_EQ(rt.workers(), 4u);
}

TEST(runtime, serves_several_threads) {
  runtime rt({.workers = 3});
  std::atomic<unsigned> sum{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 5; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        sum += rt.run([] { return fib(10); });
      }
    });
  }
  for (std::thread& each : threads) {
    each.join();
  }
  EXPECT_EQ(sum, 5u * 50 * 55);
}

TEST(runtime, names_the_mistake_in_an_option) {
  EXPECT_EQ(
      refusal({.scheduler = "fifo"}),
      "options.scheduler: no scheduler is called 'fifo'; expected one of random, hierarchical, adws, adws:no-steal, "
      "constrained, cab, cats, laws, laws:nc, laws:paper, bats, bats:paper, bats:nh, bats:nb, bats:nl, bats:h, bats:b, "
      "bats:l, auto, adws:hints=given, adws:hints=learned, adws:hints=both, constrained:relws=COUNT, cab:LEVEL, "
      "laws:STEP, auto:hints, auto:times, auto:plain");
  const char* const none = nullptr;
  EXPECT_EQ(jackdaw::error_of([&] { runtime rt({.scheduler = none}); }),
            "options: a null pointer where a text is expected; \"\" leaves an option alone");
  EXPECT_NE(refusal({.workers = 5000}).find("options.workers"), std::string::npos);
  EXPECT_NE(refusal({.stack_size = 100}).find("options.stack_size: 100 bytes; expected 16384"), std::string::npos);
}

TEST(runtime, decides_for_a_described_machine) {
  setenv("HWLOC_SYNTHETIC", "package:8 l3:1 core:4 pu:1", 1);
  runtime rt;
  unsetenv("HWLOC_SYNTHETIC");
  ASSERT_EQ(rt.workers(), 32u);
  EXPECT_EQ(rt.where().packages.size(), 8u);
  EXPECT_EQ(rt.place(0).package, 0u);
  EXPECT_EQ(rt.place(31).package, 7u);
  EXPECT_EQ(rt.run([] { return fib(15); }), 610u);
}

/// Threads of this process that the kernel has parked in a futex wait that no time ends: only a wake-up does.
unsigned parked_for_good() {
  unsigned parked = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(thread.path() / "syscall");
    std::string number, address, operation, value, timeout;
    if (!(file >> number >> address >> operation >> value >> timeout)) continue;  // it runs, or has ended
    const auto asked = std::stoul(operation, nullptr, 16) & FUTEX_CMD_MASK;
    if (number == std::to_string(SYS_futex) && asked == FUTEX_WAIT && timeout == "0x0") ++parked;
  }
  return parked;
}

TEST(runtime, leaves_an_idle_processor_alone) {
  if (!jackdaw::detail::hardware::heavy_fence()) GTEST_SKIP() << "no membarrier: workers look again from time to time";
  if (!std::filesystem::exists("/proc/thread-self/syscall")) GTEST_SKIP() << "no /proc says what threads wait for";
  const unsigned before = parked_for_good();
  runtime rt({.workers = 4});
  rt.run([] { fib(15); });
  // The workers go to sleep sooner or later, and then use nothing until they are woken.
  while (parked_for_good() < before + rt.workers()) std::this_thread::yield();
  EXPECT_EQ(rt.run([] { return fib(15); }), 610u);
}

#if !defined(JACKDAW_TSAN)
// ThreadSanitizer does not let the child of a fork of several threads start one.
TEST(runtime, lets_the_child_of_a_fork_start_its_own) {
  EXPECT_EQ(runtime::instance().run([] { return fib(10); }), 55u);
  const pid_t child = fork();
  if (child == 0) {
    _exit(runtime::instance().run([] { return fib(11); }) == 89u ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

#if !defined(JACKDAW_ASAN) && !defined(JACKDAW_TSAN)
// The sanitizers bring their own handler for this.
unsigned too_deep(unsigned levels) {
  volatile char frame[512];
  frame[0] = static_cast<char>(levels);
  return levels == 0 ? 0 : too_deep(levels - 1) + static_cast<unsigned>(frame[0]);
}

TEST(runtime_death, says_that_a_stack_has_overflowed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        runtime rt({.workers = 2});
        rt.run([] { return too_deep(10'000'000); });
      },
      "stack overflow in a task on worker [01]: its stack has 1048576 bytes");
}
#endif

}  // namespace
