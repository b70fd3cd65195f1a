// One object for each worker: in tasks, outside of tasks, in several runtimes, and while objects are being made.
#include "jackdaw/per_worker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::per_worker;
using jackdaw::runtime;

/// Says if two tasks are in it at once.
struct guarded {
  std::atomic<bool> used{false};
  std::uint64_t sum = 0;
  void add(std::uint64_t what, std::atomic<int>& clashes) {
    if (used.exchange(true)) ++clashes;
    const std::uint64_t before = sum;
    for (int i = 0; i < 20; ++i) asm volatile("" ::: "memory");
    sum = before + what;
    used = false;
  }
};

class each : public testing::TestWithParam<std::string> {
 protected:
  runtime rt{{.scheduler = GetParam(), .workers = 4}};
  std::atomic<int> clashes{0};
};
INSTANTIATE_TEST_SUITE_P(scheduler, each, testing::ValuesIn(jackdaw::test::diverse_schedulers()),
                         [](const auto& named) { return jackdaw::test::word(named.param); });

TEST_P(each, worker_has_one) {
  per_worker<guarded> sums;
  constexpr int n = 20'000, rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    rt.run([&] {
      jackdaw::for_index(
          0, n, [&](int i) { sums.local().add(static_cast<std::uint64_t>(i), clashes); }, jackdaw::grain{50});
    });
  }
  EXPECT_EQ(clashes, 0);
  EXPECT_GE(sums.size(), 1u);
  EXPECT_LE(sums.size(), rt.workers());
  const auto all =
      sums.combine(std::uint64_t{0}, [](std::uint64_t sum, const guarded& part) { return sum + part.sum; });
  EXPECT_EQ(all, std::uint64_t{rounds} * n * (n - 1) / 2);
}

TEST_P(each, task_asks_again_after_a_fork) {
  per_worker<guarded> sums;
  rt.run([&] {
    jackdaw::for_index(
        0, 500,
        [&](int) {
          sums.local().add(1, clashes);
          jackdaw::invoke([&] { sums.local().add(1, clashes); }, [&] { sums.local().add(1, clashes); });
          sums.local().add(1, clashes);
        },
        jackdaw::grain{1});
  });
  EXPECT_EQ(clashes, 0);
  EXPECT_EQ(sums.combine(0u, [](unsigned sum, guarded& part) { return sum + static_cast<unsigned>(part.sum); }), 2000u);
}

TEST_P(each, runtime_and_thread_has_its_own) {
  runtime second{{.scheduler = "random", .workers = 3}};
  per_worker<guarded> sums;
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      for (int round = 0; round < 20; ++round) {
        sums.local().add(1, clashes);
        (number % 2 == 0 ? rt : second).run([&] {
          jackdaw::for_index(0, 99, [&](int) { sums.local().add(1, clashes); }, jackdaw::grain{3});
        });
      }
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(clashes, 0);
  EXPECT_EQ(sums.combine(0u, [](unsigned sum, guarded& part) { return sum + static_cast<unsigned>(part.sum); }),
            4u * 20 * 100);
}

TEST(per_worker, a_loop_of_one_leaf_outside_of_tasks) {
  per_worker<std::vector<int>> found;
  jackdaw::for_index(0, 3, [&](int i) { found.local().push_back(i); }, jackdaw::grain{100});
  EXPECT_EQ(
      found.combine(
          0, [](int sum, const std::vector<int>& part) { return std::accumulate(part.begin(), part.end(), sum); }),
      3);
}

TEST(per_worker, outlives_runtimes) {
  per_worker<std::uint64_t> counts;
  for (int i = 0; i < 10; ++i) {
    runtime brief{{.scheduler = "random", .workers = 2}};
    brief.run([&] { jackdaw::for_index(0, 10, [&](int) { ++counts.local(); }, jackdaw::grain{1}); });
  }
  EXPECT_EQ(counts.combine(0u, [](unsigned sum, std::uint64_t part) { return sum + static_cast<unsigned>(part); }),
            100u);
}

/// Neither copyable nor movable, and made by a function that forks.
struct stubborn {
  explicit stubborn(int first) : value(first) {}
  stubborn(const stubborn&) = delete;
  stubborn& operator=(const stubborn&) = delete;
  std::atomic<int> value;
};

TEST(per_worker, objects_that_are_made_in_parallel) {
  runtime rt{{.scheduler = "random", .workers = 4}};
  per_worker<stubborn> made([] {
    std::atomic<int> sum{0};
    jackdaw::for_index(
        0, 4,
        [&](int) {
          ++sum;
          std::this_thread::sleep_for(std::chrono::microseconds(50));
        },
        jackdaw::grain{1});
    return stubborn(sum);
  });
  rt.run([&] { jackdaw::for_index(0, 2000, [&](int) { ++made.local().value; }, jackdaw::grain{1}); });
  int sum = 0;
  made.for_each([&](stubborn& part) { sum += part.value - 4; });
  EXPECT_EQ(sum, 2000);
  EXPECT_LE(made.size(), rt.workers());
}

TEST(per_worker, an_object_that_cannot_be_made) {
  std::atomic<int> attempts{0};
  per_worker<int> never([&]() -> int {
    ++attempts;
    throw std::runtime_error("not made");
  });
  EXPECT_THROW(never.local(), std::runtime_error);
  EXPECT_THROW(jackdaw::for_index(0, 100, [&](int) { never.local() = 1; }), std::runtime_error);
  EXPECT_EQ(never.size(), 0u);
  EXPECT_GE(attempts, 2);
}

TEST(per_worker, starts_anew_when_it_is_cleared) {
  std::atomic<int> alive{0};
  struct counted {
    std::atomic<int>* of;
    explicit counted(std::atomic<int>* of) : of(of) { ++*of; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    ~counted() { --*of; }
  };
  {
    per_worker<counted> all([&] { return counted(&alive); });
    jackdaw::for_index(0, 100, [&](int) { all.local(); }, jackdaw::grain{1});
    EXPECT_EQ(static_cast<std::size_t>(alive), all.size());
    EXPECT_GT(alive, 0);
    all.clear();
    EXPECT_EQ(alive, 0);
    all.local();
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST(per_worker, objects_share_no_cache_line) {
  per_worker<char> flags;
  std::vector<std::uintptr_t> at;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      flags.local() = 'x';
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    });
  for (std::thread& one : threads) one.join();
  flags.for_each([&](char& flag) { at.push_back(reinterpret_cast<std::uintptr_t>(&flag) / 64); });
  std::sort(at.begin(), at.end());
  EXPECT_EQ(std::adjacent_find(at.begin(), at.end()), at.end());
}

}  // namespace
