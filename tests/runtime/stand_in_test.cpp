// Clients stand in for sleeping workers: what runs on whose thread, what a client's thread is afterwards, and what
// happens when another client comes, a leaf takes long elsewhere, or the runtime ends. src/runtime/README-stand-in.md.
#include <fenv.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/sanitized.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::runtime;
using namespace std::chrono_literals;

/// Waits until all workers sleep, as they do some 150 us after the last task.
void let_them_sleep(const runtime& rt) {
  const std::uint64_t enough = rt.workers();
  for (int i = 0; i < 1000 && rt.stats().sleeps < enough; ++i) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(2ms);
}

class stand_in : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  runtime rt{{.scheduler = std::get<0>(GetParam()), .workers = std::get<1>(GetParam())}};
};
INSTANTIATE_TEST_SUITE_P(on, stand_in,
                         testing::Combine(testing::Values("random", "hierarchical", "adws", "auto", "constrained"),
                                          testing::Values(1u, 2u, 5u)),
                         [](const auto& each) {
                           return jackdaw::test::word(std::get<0>(each.param)) + "_on_" +
                                  std::to_string(std::get<1>(each.param));
                         });

/// Whether all workers sleep, and have slept for a millisecond. On a busy computer they may not get there.
bool all_sleep(const runtime& rt) {
  const auto slept = [&rt] { return std::chrono::nanoseconds(rt.stats().sleep_ns); };
  const auto before = slept();
  const auto began = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(1ms);
  return 2 * (slept() - before) > (2 * rt.workers() - 1) * (std::chrono::steady_clock::now() - began);
}

TEST_P(stand_in, roots_run_on_their_clients_thread) {
  let_them_sleep(rt);
  const auto client = std::this_thread::get_id();
  int here = 0, rounds = 0;
  for (int i = 0; i < 300 && rounds < 30; ++i) {
    const bool counts = all_sleep(rt);
    bool is_here = false;
    rt.run([&] {
      EXPECT_TRUE(jackdaw::this_worker().has_value());
      is_here = std::this_thread::get_id() == client;
    });
    EXPECT_FALSE(jackdaw::this_worker().has_value());
    rounds += counts;
    here += counts && is_here;
  }
  EXPECT_GT(rounds, 0) << "the workers never sleep";
  EXPECT_GE(2 * here, rounds);
}

TEST_P(stand_in, results_are_those_of_any_root) {
  std::vector<std::uint64_t> of(20'000);
  for (std::uint64_t round = 1; round <= 200; ++round) {
    rt.run([&] { jackdaw::for_index(0, of.size(), [&](std::size_t i) { of[i] += i * round; }); });
    if (round % 50 == 0) std::this_thread::sleep_for(1ms);  // so that workers sleep in between
  }
  for (std::size_t i = 0; i < of.size(); ++i) ASSERT_EQ(of[i], i * 200 * 201 / 2);
}

TEST_P(stand_in, exceptions_reach_the_client) {
  for (int i = 0; i < 50; ++i) {
    EXPECT_THROW(rt.run([] { throw std::runtime_error("from a root"); }), std::runtime_error);
    EXPECT_THROW(rt.run([] {
      jackdaw::for_index(0, 100, [](int at) {
        if (at == 57) throw std::out_of_range("from a leaf");
      });
    }),
                 std::out_of_range);
  }
}

TEST_P(stand_in, the_clients_thread_is_its_own_again) {
  let_them_sleep(rt);
  cpu_set_t before, after;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  stack_t stack_before{}, stack_after{};
  sigaltstack(nullptr, &stack_before);
  const int rounding = fegetround();
  try {
    throw std::runtime_error("handled by the client");
  } catch (const std::runtime_error& handled) {
    for (int i = 0; i < 20; ++i) {
      rt.run([] {
        EXPECT_EQ(std::current_exception(), nullptr) << "a task sees what its client handles";
        fesetround(FE_UPWARD);
        jackdaw::invoke([] {}, [] {});
        try {
          throw std::logic_error("handled by a task");
        } catch (const std::logic_error&) {
          jackdaw::invoke([] { std::this_thread::sleep_for(100us); }, [] { std::this_thread::sleep_for(100us); });
        }
      });
      ASSERT_NE(std::current_exception(), nullptr);
      EXPECT_THROW(std::rethrow_exception(std::current_exception()), std::runtime_error);
      EXPECT_STREQ(handled.what(), "handled by the client");
      EXPECT_EQ(std::uncaught_exceptions(), 0);
    }
  }
  EXPECT_EQ(fegetround(), rounding);
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
  sigaltstack(nullptr, &stack_after);
  EXPECT_EQ(stack_before.ss_flags, stack_after.ss_flags);
  EXPECT_EQ(stack_before.ss_sp, stack_after.ss_sp);
}

/// A thread's number while it waits for a root; tasks of other roots must not see it.
thread_local unsigned waits = 0;
[[gnu::noinline]] unsigned who_waits_here() {
  asm volatile("" ::: "memory");
  return waits;
}

TEST_P(stand_in, a_client_runs_no_task_of_another_root) {
  constexpr unsigned clients = 4;
  std::atomic<unsigned> strange{0}, own{0};
  const auto until = std::chrono::steady_clock::now() + (jackdaw::test::sanitized ? 400ms : 200ms);
  std::vector<std::thread> threads;
  for (unsigned number = 1; number <= clients; ++number) {
    threads.emplace_back([&, number] {
      std::minstd_rand draw(number);
      const auto look = [&, number] {
        const unsigned found = who_waits_here();
        if (found == number) ++own;
        if (found != 0 && found != number) ++strange;
      };
      while (std::chrono::steady_clock::now() < until) {
        waits = number;
        rt.run([&] {
          jackdaw::for_index(0, 64, [&](int) { look(); }, jackdaw::grain{1});
          jackdaw::task_group group(jackdaw::policy::help_first);
          for (int i = 0; i < 5; ++i) group.run(look);
          group.wait();
        });
        waits = 0;
        std::this_thread::sleep_for(std::chrono::microseconds(draw() % 400));
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(strange, 0u);
}

TEST_P(stand_in, a_client_may_hold_a_lock_that_tasks_of_others_take) {
  std::mutex held;
  std::atomic<unsigned> rounds{0};
  const auto until = std::chrono::steady_clock::now() + 200ms;
  std::thread other([&] {
    while (std::chrono::steady_clock::now() < until) {
      rt.run([&] {
        jackdaw::for_index(
            0, 2,
            [&](int) {
              const std::lock_guard hold(held);
              ++rounds;
            },
            jackdaw::grain{1});
      });
    }
  });
  // The other's two tasks each hold a worker while they wait for the lock.
  while (rt.workers() > 2 && std::chrono::steady_clock::now() < until) {
    const std::lock_guard hold(held);
    EXPECT_EQ(rt.run([] { return 5; }), 5);
  }
  other.join();
  EXPECT_GT(rounds, 0u);
}

TEST_P(stand_in, a_root_whose_leaf_takes_long_elsewhere) {
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> done{false};
    rt.run([&] {
      jackdaw::invoke([] {},
                      [&] {
                        std::this_thread::sleep_for(3ms);
                        done = true;
                      },
                      [] { std::this_thread::sleep_for(100us); });
    });
    EXPECT_TRUE(done);
  }
}

TEST_P(stand_in, a_root_that_waits_for_another_runtime) {
  runtime second{{.scheduler = "random", .workers = 2}};
  for (int i = 0; i < 100; ++i) {
    const int both = rt.run([&] { return 1 + second.run([&] { return rt.run([] { return 2; }); }); });
    EXPECT_EQ(both, 3);
  }
}

TEST_P(stand_in, runtimes_that_end_at_once) {
  for (int i = 0; i < (jackdaw::test::sanitized ? 10 : 30); ++i) {
    runtime brief{{.scheduler = std::get<0>(GetParam()), .workers = std::get<1>(GetParam())}};
    if (i % 2 == 0) let_them_sleep(brief);
    std::atomic<int> sum{0};
    for (int round = 0; round < 3; ++round) {
      brief.run([&] { jackdaw::for_index(0, 10, [&](int at) { sum += at; }, jackdaw::grain{1}); });
    }
    EXPECT_EQ(sum, 135);
  }
}

TEST_P(stand_in, many_threads_begin_and_end) {
  std::atomic<int> sum{0};
  for (int i = 0; i < 50; ++i) {
    std::thread([&] { rt.run([&] { jackdaw::for_index(0, 16, [&](int) { ++sum; }, jackdaw::grain{1}); }); }).join();
  }
  EXPECT_EQ(sum, 50 * 16);
}

/// Clients come at random times, alone and together, so that places are borrowed, given back and taken over at every
/// point. A lost wake-up hangs the test, and the watchdog reports it.
TEST_P(stand_in, clients_at_random_times) {
  const auto until = std::chrono::steady_clock::now() + (jackdaw::test::sanitized ? 1s : 500ms);
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 3; ++number) {
    threads.emplace_back([&, number] {
      std::minstd_rand draw(number + 1);
      while (std::chrono::steady_clock::now() < until) {
        const int size = 1 + static_cast<int>(draw() % 200);
        std::atomic<int> sum{0};
        rt.run([&] { jackdaw::for_index(0, size, [&](int) { sum.fetch_add(1); }, jackdaw::grain{3}); });
        ASSERT_EQ(sum, size);
        if (draw() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(draw() % 1000));
      }
    });
  }
  for (std::thread& each : threads) each.join();
}

/// Its worker runs all tasks in place, so the thread waits in the task for the other runtime's root.
TEST(stand_in_of_no_worker, a_recorded_task_that_waits_for_another_runtime) {
  const std::string trace = testing::TempDir() + "a_recorded_task." + std::to_string(getpid()) + ".trace";
  runtime other({.workers = 2});
  {
    runtime recorded({.workers = 1, .record = trace});
    for (int round = 0; round < 20; ++round) {
      EXPECT_EQ(recorded.run([&] {
        int sum = 0;
        jackdaw::invoke([&] { sum += other.run([] { return 3; }); }, [] {});
        jackdaw::task_group group;
        group.run([&] { sum += other.run([] { return 4; }); });
        group.wait();
        return sum + jackdaw::this_worker().has_value();
      }),
                8);
      std::this_thread::sleep_for(300us);  // the other runtime's workers sleep
    }
  }
  std::remove(trace.c_str());
}

/// The processors that the calling thread may use.
cpu_set_t mask() {
  cpu_set_t now;
  EXPECT_EQ(sched_getaffinity(0, sizeof now, &now), 0);
  return now;
}

cpu_set_t only(unsigned cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  return one;
}

class stand_in_on_two_cpus : public testing::Test {
 protected:
  void SetUp() override {
    const cpu_set_t all = mask();
    if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "needs two processors";
    for (const unsigned worker : {0u, 1u}) {
      const auto cpu = rt.place(worker).os_cpu;
      if (!cpu) GTEST_SKIP() << "workers are not pinned here";
      cpus.push_back(*cpu);
    }
  }

  runtime rt{{.scheduler = "adws", .workers = 2, .pin = true}};
  std::vector<unsigned> cpus;
};

/// The kernel gives each thread of the process the same processors, but the client may use only one.
TEST_F(stand_in_on_two_cpus, a_client_that_may_not_run_there) {
  for (const unsigned cpu : cpus) {
    std::thread([&] {
      const cpu_set_t one = only(cpu);
      ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
      let_them_sleep(rt);
      for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(rt.run([] { return 4; }), 4);
        const cpu_set_t now = mask();
        ASSERT_TRUE(CPU_EQUAL(&now, &one));
      }
    }).join();
  }
}

TEST_F(stand_in_on_two_cpus, a_mask_that_a_task_has_set_stays) {
  int here = 0;
  for (int i = 0; i < 40; ++i) {
    std::thread([&] {
      const auto client = std::this_thread::get_id();
      cpu_set_t wanted;
      std::this_thread::sleep_for(1ms);
      const bool is_here = rt.run([&] {
        if (std::this_thread::get_id() != client) return false;
        const cpu_set_t held = mask();
        wanted = only(CPU_ISSET(cpus[0], &held) != 0 ? cpus[1] : cpus[0]);
        EXPECT_EQ(sched_setaffinity(0, sizeof wanted, &wanted), 0);
        return true;
      });
      if (!is_here) return;
      ++here;
      const cpu_set_t now = mask();
      EXPECT_TRUE(CPU_EQUAL(&now, &wanted)) << i;
    }).join();
  }
  if (here == 0) GTEST_SKIP() << "no worker slept";
}

}  // namespace
