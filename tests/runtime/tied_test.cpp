// tied(): a task is back on its thread, whatever it has forked and waited for, on workers and on clients' threads.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/fib.hpp"
#include "support/sanitized.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::runtime;
using jackdaw::tied;
using namespace std::chrono_literals;

thread_local std::uint64_t of_a_thread = 0;
std::atomic<std::uint64_t> checked{0}, been_elsewhere{0};

/// Compilers assume that a function stays on its thread.
[[gnu::noinline]] std::uint64_t* here() {
  asm volatile("" ::: "memory");
  return &of_a_thread;
}

/// Calls f(), and checks that the same thread goes on.
template <class F>
void check(const F& f) {
  std::uint64_t* const before = here();
  const auto id = std::this_thread::get_id();
  tied([&] {
    f();
    if (here() != before) been_elsewhere.fetch_add(1, std::memory_order_relaxed);
  });
  if (here() != before) ADD_FAILURE() << "another thread's variable";
  if (std::this_thread::get_id() != id) ADD_FAILURE() << "another thread";
  checked.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t fib(unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0, b = 0;
  check([&] { jackdaw::invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); }); });
  return a + b;
}

std::uint64_t fib_in_groups(unsigned n, jackdaw::policy order) {
  if (n < 2) return n;
  std::uint64_t a = 0, b = 0;
  check([&] {
    jackdaw::task_group group(order);
    group.run([&] { a = fib_in_groups(n - 1, order); });
    b = fib_in_groups(n - 2, order);
    group.wait();
  });
  return a + b;
}

class tied_on : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  runtime rt{{.scheduler = std::get<0>(GetParam()), .workers = std::get<1>(GetParam()), .pin = false}};
};
INSTANTIATE_TEST_SUITE_P(
    all, tied_on, testing::Combine(testing::ValuesIn(jackdaw::test::diverse_schedulers()), testing::Values(1u, 2u, 5u)),
    [](const auto& each) {
      return jackdaw::test::word(std::get<0>(each.param)) + "_on_" + std::to_string(std::get<1>(each.param));
    });

constexpr unsigned n = jackdaw::test::sanitized ? 14 : 21;

TEST_P(tied_on, invokes) {
  EXPECT_EQ(rt.run([] { return fib(n); }), n == 14 ? 377u : 10946u);
}

TEST_P(tied_on, groups) {
  for (const auto order : {jackdaw::policy::work_first, jackdaw::policy::help_first}) {
    EXPECT_EQ(rt.run([order] { return fib_in_groups(n, order); }), n == 14 ? 377u : 10946u);
  }
}

TEST_P(tied_on, algorithms_within_algorithms) {
  std::vector<std::uint64_t> of(20'000);
  rt.run([&] {
    for (int round = 0; round < 5; ++round) {
      check([&] {
        jackdaw::for_index(0, 20, [&](int part) {
          check([&] {
            jackdaw::for_index(part * 1000, part * 1000 + 1000, [&](int i) { ++of[static_cast<std::size_t>(i)]; });
          });
        });
      });
      check([&] { jackdaw::sort(of); });
    }
  });
  for (const std::uint64_t each : of) ASSERT_EQ(each, 5u);
}

TEST_P(tied_on, when_something_is_thrown) {
  rt.run([&] {
    for (int round = 0; round < 100; ++round) {
      std::uint64_t* const before = here();
      try {
        tied([&] {
          jackdaw::task_group group;
          group.run([&] { throw std::runtime_error("from a child"); });
          group.run([] { fib(8); });
          group.wait();
        });
        ADD_FAILURE();
      } catch (const std::runtime_error&) {
        EXPECT_EQ(here(), before);
      }
      EXPECT_EQ(here(), before);
    }
  });
}

/// In a destructor that an exception calls, and in a handler.
TEST_P(tied_on, while_an_exception_passes) {
  struct forks {
    ~forks() {
      check([] { fib(8); });
    }
  };
  rt.run([] {
    jackdaw::for_index(0, 50, [](int) {
      try {
        const forks on_the_way;
        throw std::runtime_error("on its way");
      } catch (const std::runtime_error& caught) {
        EXPECT_EQ(std::uncaught_exceptions(), 0);
        check([] { fib(8); });
        EXPECT_STREQ(caught.what(), "on its way");
      }
    });
  });
}

/// Clients stand in for workers and leave their places to each other's roots; what is tied to their threads goes on
/// there.
TEST_P(tied_on, several_clients) {
  std::vector<std::thread> clients;
  for (unsigned client = 0; client < 3; ++client) {
    clients.emplace_back([&, client] {
      for (int round = 0; round < (jackdaw::test::sanitized ? 5 : 20); ++round) {
        std::this_thread::sleep_for(client * 200us);
        EXPECT_EQ(rt.run([] { return fib(13); }), 233u);
      }
    });
  }
  for (std::thread& each : clients) each.join();
}

/// Its leaf takes long elsewhere, and another client comes meanwhile: the first one stays where its task returns to.
TEST_P(tied_on, a_client_whose_leaf_takes_long_elsewhere) {
  for (int round = 0; round < 10; ++round) {
    std::thread other([&] {
      for (int i = 0; i < 5; ++i) {
        std::this_thread::sleep_for(500us);
        rt.run([] { fib(8); });
      }
    });
    rt.run([&] {
      check([] {
        jackdaw::task_group group;
        for (int child = 0; child < 4; ++child) group.run([] { std::this_thread::sleep_for(1ms); });
        group.wait();
      });
    });
    other.join();
  }
}

TEST_P(tied_on, a_task_that_waits_for_another_runtime) {
  runtime other({.scheduler = "random", .workers = 2, .pin = false});
  rt.run([&] {
    jackdaw::for_index(0, 20, [&](int) { check([&] { EXPECT_EQ(other.run([] { return fib(9); }), 34u); }); });
  });
}

/// A part of the isolated task is tied to a thread that has helped; that thread must not take another task meanwhile,
/// which would want the lock.
TEST_P(tied_on, in_isolated_tasks_under_a_lock) {
  std::mutex mutex;
  std::uint64_t sum = 0;
  for (int round = 0; round < (jackdaw::test::sanitized ? 2 : 20); ++round) {
    rt.run([&] {
      jackdaw::for_index(
          0, 20,
          [&](int i) {
            jackdaw::test::fib(static_cast<unsigned>(5 + i % 7));
            const std::lock_guard hold(mutex);
            jackdaw::isolate([&] { sum += fib(12); });
          },
          jackdaw::grain{1});
    });
  }
  EXPECT_EQ(sum, (jackdaw::test::sanitized ? 2u : 20u) * 20 * 144);
}

TEST_P(tied_on, returns_what_the_function_returns) {
  rt.run([] {
    int x = 0;
    static_assert(std::is_same_v<decltype(tied([&]() -> int& { return x; })), int&>);
    EXPECT_EQ(&tied([&]() -> int& { return x; }), &x);
    EXPECT_EQ(*tied([] { return std::make_unique<int>(3); }), 3);
  });
}

/// A client's task holds a lock across tied(), and two other clients' tasks block a worker each until they have it. The
/// third worker has to lend its place. What the first task forks is tied to no thread: it might be one that is blocked.
TEST(tied_to_a_client, holds_a_lock_that_others_want) {
  runtime rt({.scheduler = "random", .workers = 3, .pin = false});
  std::mutex mutex;
  for (int round = 0; round < 50; ++round) {
    std::atomic<bool> locked{false};
    std::vector<std::thread> others;
    for (int i = 0; i < 2; ++i) {
      others.emplace_back([&] {
        while (!locked) std::this_thread::yield();
        rt.run([&] { const std::lock_guard hold(mutex); });
      });
    }
    const auto client = std::this_thread::get_id();
    rt.run([&] {
      if (std::this_thread::get_id() != client) {
        locked = true;
        return;
      }
      mutex.lock();
      check([&] {
        locked = true;
        for (int i = 0; i < 60; ++i) jackdaw::test::fib(9);
      });
      mutex.unlock();
    });
    for (std::thread& each : others) each.join();
  }
}

/// The processors of the only worker are forbidden to the client while its task is elsewhere.
TEST(tied_to_a_client, whose_affinity_mask_changes) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "needs two processors";
  runtime rt({.scheduler = "random", .workers = 1, .pin = true});
  if (!rt.place(0).os_cpu) GTEST_SKIP() << "workers are not pinned here";
  cpu_set_t other = all;
  CPU_CLR(*rt.place(0).os_cpu, &other);
  const pthread_t client = pthread_self();
  std::atomic<int> step{0};
  std::thread second([&] {
    while (step != 1) std::this_thread::yield();
    rt.run([&] {
      EXPECT_EQ(pthread_setaffinity_np(client, sizeof other, &other), 0);
      step = 2;
    });
  });
  rt.run([&] {
    check([&] {
      step = 1;
      while (step != 2) jackdaw::invoke([] { std::this_thread::sleep_for(50us); }, [] {});
    });
  });
  second.join();
  EXPECT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

TEST(tied_outside_of_tasks, calls_the_function) {
  std::uint64_t* const before = here();
  std::vector<int> of(10'000);
  for (int round = 0; round < 50; ++round) {
    tied([&] { jackdaw::for_each(of, [](int& each) { ++each; }); });
    ASSERT_EQ(here(), before);
  }
  EXPECT_EQ(std::accumulate(of.begin(), of.end(), 0), 500'000);
}

/// A thread_local that was written before a fork is read after it: a million times, and again where every fork moves
/// its task to another thread, if it can.
TEST(tied_a_million_times, reads_what_was_written) {
  if (jackdaw::test::sanitized) GTEST_SKIP() << "takes minutes";
  for (const bool moves : {false, true}) {
    if (moves) setenv("JACKDAW_MOVE", "1", 1);
    const std::uint64_t enough = moves ? 20'000 : 1'000'000;
    been_elsewhere = checked = 0;
    runtime rt({.scheduler = "random", .workers = 2, .pin = false});
    while (checked < enough) rt.run([moves] { fib(moves ? 16 : 26); });
    if (moves) {
      EXPECT_GT(been_elsewhere.load(), 100u);
    }
    RecordProperty(moves ? "elsewhere_of_20000" : "elsewhere_of_a_million", std::to_string(been_elsewhere.load()));
  }
  unsetenv("JACKDAW_MOVE");
}

}  // namespace
