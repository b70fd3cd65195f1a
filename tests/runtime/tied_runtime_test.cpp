// options::tied: every task is on its thread again after each fork and each wait, with no tied() anywhere.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <numeric>
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

constexpr bool sanitized = jackdaw::test::sanitized;

thread_local std::uint64_t of_a_thread = 0;
std::atomic<std::uint64_t> checked{0};

/// Compilers assume that a function stays on its thread.
[[gnu::noinline]] std::uint64_t* here() {
  asm volatile("" ::: "memory");
  return &of_a_thread;
}

/// Calls f(), which forks or waits, and checks that the same thread goes on, with what it had written.
template <class F>
void check(const F& f) {
  std::uint64_t* const before = here();
  const auto id = std::this_thread::get_id();
  struct afterwards {
    std::uint64_t* before;
    std::thread::id id;
    ~afterwards() {
      if (here() != before) ADD_FAILURE() << "another thread's variable";
      if (std::this_thread::get_id() != id) ADD_FAILURE() << "another thread";
      checked.fetch_add(1, std::memory_order_relaxed);
    }
  } const last{before, id};
  f();
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
  jackdaw::task_group group(order);
  check([&] { group.run([&] { a = fib_in_groups(n - 1, order); }); });
  check([&] { b = fib_in_groups(n - 2, order); });
  check([&] { group.wait(); });
  return a + b;
}

class tied_runtime : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  runtime rt{{.scheduler = std::get<0>(GetParam()), .workers = std::get<1>(GetParam()), .pin = false, .tied = true}};
};
INSTANTIATE_TEST_SUITE_P(all, tied_runtime,
                         testing::Combine(testing::ValuesIn(jackdaw::test::diverse_schedulers()),
                                          testing::Values(1u, 2u, 5u)),
                         [](const auto& each) {
                           return jackdaw::test::word(std::get<0>(each.param)) + "_on_" +
                                  std::to_string(std::get<1>(each.param));
                         });

constexpr unsigned n = sanitized ? 14 : 21;
constexpr std::uint64_t fib_n = sanitized ? 377 : 10946;

TEST_P(tied_runtime, invokes) {
  for (int round = 0; round < 5; ++round) EXPECT_EQ(rt.run([] { return fib(n); }), fib_n);
}

TEST_P(tied_runtime, groups) {
  for (const auto order : {jackdaw::policy::work_first, jackdaw::policy::help_first}) {
    EXPECT_EQ(rt.run([order] { return fib_in_groups(n, order); }), fib_n);
  }
}

/// Many children of one group, which sleep or fork; a group is used again.
TEST_P(tied_runtime, a_group_with_many_children) {
  rt.run([] {
    for (const double total : {jackdaw::unknown, 100.0}) {
      jackdaw::task_group group(total);
      for (int round = 0; round < 3; ++round) {
        std::atomic<std::uint64_t> sum{0};
        for (int child = 0; child < 50; ++child) {
          check([&] {
            group.run(
                [&sum, child] {
                  if (child % 10 == 0) std::this_thread::sleep_for(100us);
                  sum += fib(10);
                },
                2);
          });
        }
        check([&] { group.wait(); });
        EXPECT_EQ(sum.load(), 50u * 55);
      }
    }
  });
}

TEST_P(tied_runtime, algorithms_within_algorithms) {
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
      check([&] { EXPECT_EQ(jackdaw::reduce(of, std::uint64_t{0}), 20'000u * (round + 1u)); });
    }
  });
}

TEST_P(tied_runtime, regions_with_hints) {
  rt.run([&] {
    for (int round = 0; round < 10; ++round) {
      check([&] {
        const jackdaw::region step("step");
        jackdaw::invoke(jackdaw::work(3, [] { fib(14); }), jackdaw::work(1, [] { fib(10); }),
                        jackdaw::work(2, [] { fib(12); }));
      });
    }
  });
}

TEST_P(tied_runtime, when_something_is_thrown) {
  rt.run([&] {
    for (int round = 0; round < 100; ++round) {
      check([&] {
        EXPECT_THROW(jackdaw::invoke([] { fib(8); }, [] { throw std::runtime_error("second"); }), std::runtime_error);
      });
      check([&] {
        EXPECT_THROW(jackdaw::invoke([] { throw std::runtime_error("first"); }, [] { fib(8); }), std::runtime_error);
      });
      check([&] {
        jackdaw::task_group group;
        group.run([] { throw std::runtime_error("from a child"); });
        group.run([] { fib(8); });
        EXPECT_THROW(group.wait(), std::runtime_error);
      });
    }
  });
}

/// Roots take turns: a task gives way in the middle of its forks.
TEST_P(tied_runtime, several_clients) {
  std::vector<std::thread> clients;
  for (unsigned client = 0; client < 3; ++client) {
    clients.emplace_back([&, client] {
      for (int round = 0; round < (sanitized ? 5 : 20); ++round) {
        std::this_thread::sleep_for(client * 200us);
        EXPECT_EQ(rt.run([] { return fib(13); }), 233u);
      }
    });
  }
  std::thread long_one([&] { EXPECT_EQ(rt.run([] { return fib(sanitized ? 16 : 24); }), sanitized ? 987u : 46368u); });
  for (std::thread& each : clients) each.join();
  long_one.join();
}

TEST_P(tied_runtime, futures_and_semaphores) {
  std::vector<jackdaw::future<std::uint64_t>> all;
  jackdaw::semaphore few(2);
  for (int i = 0; i < 20; ++i) {
    all.push_back(rt.async([&] {
      check([&] { few.acquire(); });
      const std::uint64_t found = fib(12);
      few.release();
      return found;
    }));
  }
  std::uint64_t sum = 0;
  for (auto& each : all) sum += each.get();
  EXPECT_EQ(sum, 20u * 144);
  rt.run([&] {
    auto later = rt.async([] { return fib(12); });
    check([&] { EXPECT_EQ(later.get(), 144u); });
  });
}

TEST_P(tied_runtime, isolated_tasks) {
  rt.run(
      [] { jackdaw::for_index(0, sanitized ? 5 : 20, [](int) { check([] { jackdaw::isolate([] { fib(12); }); }); }); });
}

/// The tasks take a lock, and hold it while they are isolated. A part of an isolated task is bound to a thread that has
/// helped; that thread must not take another task meanwhile, which would want the lock.
TEST_P(tied_runtime, isolated_tasks_under_a_lock) {
  std::mutex mutex;
  std::uint64_t sum = 0;
  for (int round = 0; round < (sanitized ? 2 : 20); ++round) {
    rt.run([&] {
      jackdaw::for_index(
          0, 20,
          [&](int i) {
            fib(static_cast<unsigned>(5 + i % 7));
            const std::lock_guard hold(mutex);
            jackdaw::isolate([&] { sum += fib(12); });
          },
          jackdaw::grain{1});
    });
  }
  EXPECT_EQ(sum, (sanitized ? 2u : 20u) * 20 * 144);
}

TEST_P(tied_runtime, another_runtime_within) {
  runtime other({.scheduler = "random", .workers = 2, .pin = false, .tied = true});
  rt.run([&] {
    jackdaw::for_index(0, 20, [&](int) { check([&] { EXPECT_EQ(other.run([] { return fib(9); }), 34u); }); });
  });
}

class tied_arena : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(all, tied_arena, testing::Values("random", "adws"));

/// Threads of the runtime come and go; what is bound to one brings it back.
TEST_P(tied_arena, returns_to_threads_of_the_runtime) {
  runtime rt({.scheduler = GetParam(), .workers = 4, .pin = false, .tied = true});
  jackdaw::arena one(rt, {.workers = 2}), two(rt, {.workers = 3});
  std::vector<std::thread> clients;
  for (jackdaw::arena* const each : {&one, &two}) {
    clients.emplace_back([each] {
      for (int round = 0; round < (sanitized ? 10 : 50); ++round) EXPECT_EQ(each->run([] { return fib(12); }), 144u);
    });
  }
  for (int round = 0; round < (sanitized ? 10 : 50); ++round) {
    rt.run([&] {
      check([&] { EXPECT_EQ(one.run([] { return fib(11); }), 89u); });
      check([&] { fib(12); });
    });
  }
  for (std::thread& each : clients) each.join();
}

TEST(tied_by_the_environment, as_by_the_option) {
  setenv("JACKDAW_TIED", "1", 1);
  runtime rt({.scheduler = "random", .workers = 3, .pin = false});
  unsetenv("JACKDAW_TIED");
  EXPECT_EQ(rt.run([] { return fib(n); }), fib_n);
}

/// A thread_local that was written before a fork is read after it: a million times, and again where every fork offers
/// its task to another thread.
TEST(tied_runtime_a_million_times, reads_what_was_written) {
  if (sanitized) GTEST_SKIP() << "takes minutes";
  for (const bool moves : {false, true}) {
    if (moves) setenv("JACKDAW_MOVE", "1", 1);
    const std::uint64_t enough = moves ? 20'000 : 1'000'000;
    checked = 0;
    runtime rt({.scheduler = "random", .workers = 2, .pin = false, .tied = true});
    while (checked < enough) rt.run([moves] { fib(moves ? 16 : 26); });
    const jackdaw::statistics counted = rt.stats();
    EXPECT_GT(counted.steals_local + counted.steals_remote, 0u);
    if (moves) {
      EXPECT_GT(counted.turns, 10'000u);
    }
  }
  unsetenv("JACKDAW_MOVE");
}

}  // namespace
