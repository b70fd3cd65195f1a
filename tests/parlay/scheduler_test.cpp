// What parlaylib asks of a scheduler, on jackdaw: the four functions of parlay/parallel.h, here a stand-in's.
#include <parlay/parallel.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <latch>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"

namespace {

using parlay::num_workers;
using parlay::par_do;
using parlay::parallel_for;
using parlay::worker_id;

struct how {
  const char* scheduler;
  unsigned workers;
  bool moves;  // each fork sends its task to another worker, if one is idle
};
void PrintTo(const how& given, std::ostream* out) { *out << given.scheduler << " on " << given.workers; }

class parlay_scheduler : public testing::TestWithParam<how> {
 protected:
  static void SetUpTestSuite() { unsetenv("JACKDAW_MOVE"); }

  /// As a program calls that knows nothing of jackdaw: first from a thread that is no worker, then in a task.
  template <class F>
  void on_all(const F& f) {
    if (GetParam().moves) setenv("JACKDAW_MOVE", "1", 1);
    const jackdaw::options how{.scheduler = GetParam().scheduler, .workers = GetParam().workers, .pin = false};
    jackdaw::shutdown();
    jackdaw::configure(how);
    f();
    jackdaw::shutdown();
    jackdaw::runtime other(how);
    other.run(f);
    unsetenv("JACKDAW_MOVE");
  }
};

TEST_P(parlay_scheduler, makes_each_step_once) {
  on_all([] {
    for (const std::size_t count : {0, 1, 2, 3, 100, 5000}) {
      for (const long granularity : {0, 1, 7, 10'000}) {
        for (const bool conservative : {false, true}) {
          std::vector<std::atomic<int>> made(count + 10);
          parallel_for(10, count + 10, [&](std::size_t i) { ++made[i]; }, granularity, conservative);
          for (std::size_t i = 0; i != count + 10; ++i) ASSERT_EQ(made[i], i < 10 ? 0 : 1) << i << " of " << count;
        }
      }
    }
    parallel_for(5, 3, [](std::size_t) { ADD_FAILURE() << "a step of an empty loop"; });
  });
}

TEST_P(parlay_scheduler, calls_both_functions_as_they_were_passed) {
  struct counts {
    int& by_reference;
    int& as_temporary;
    void operator()() & { ++by_reference; }
    void operator()() && { ++as_temporary; }
  };
  on_all([] {
    for (const bool conservative : {false, true}) {
      int named = 0, temporary = 0, other = 0;
      counts left{named, temporary};
      par_do(left, counts{other, temporary}, conservative);
      EXPECT_EQ(named, 1);
      EXPECT_EQ(temporary, 1);
      EXPECT_EQ(other, 0);
      auto only_moves = [owned = std::make_unique<int>(1), &temporary]() mutable { temporary += *owned; };
      par_do(std::move(only_moves), [] {});
      EXPECT_EQ(temporary, 2);
    }
  });
}

/// A list for each thread without a lock, as in parlaylib's allocators: a function that the compiler may inline.
struct owner {
  std::thread::id id = std::this_thread::get_id();
  int inside = 0;
};
inline owner& mine() {
  static thread_local owner found;
  return found;
}

std::atomic<int> strays{0};

inline void touch(owner& at) {
  if (at.id != std::this_thread::get_id()) ++strays;
}

// NOLINTNEXTLINE(misc-no-recursion)
std::uint64_t fib(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  std::uint64_t a = 0, b = 0;
  owner& here = mine();  // kept across the fork, as a compiler may keep its address
  touch(here);
  par_do(
      [&] {
        touch(mine());
        a = fib(n - 1);
        touch(mine());
      },
      [&] {
        touch(mine());
        b = fib(n - 2);
        touch(mine());
      });
  touch(here);
  return a + b;
}

TEST_P(parlay_scheduler, returns_on_the_thread_that_it_was_called_on) {
  strays = 0;
  const int n = GetParam().moves ? 11 : 17;
  const std::uint64_t right = GetParam().moves ? 89 : 1597;
  on_all([&] {
    EXPECT_EQ(fib(n), right);
    parallel_for(
        0, 30,
        [&](std::size_t) {
          owner& here = mine();
          std::atomic<int> sum{0};
          parallel_for(0, 20, [&](std::size_t) { touch(mine()), ++sum; }, 1);
          touch(here);
          EXPECT_EQ(sum, 20);
        },
        1);
  });
  EXPECT_EQ(strays, 0);
}

TEST_P(parlay_scheduler, passes_exceptions_on_and_stays_on_the_thread) {
  on_all([] {
    const auto thread = std::this_thread::get_id();
    for (const bool conservative : {false, true}) {
      EXPECT_THROW(par_do([] { throw std::runtime_error("left"); }, [] {}, conservative), std::runtime_error);
      EXPECT_THROW(par_do([] {}, [] { throw std::logic_error("right"); }, conservative), std::logic_error);
      for (const long granularity : {0, 1, 1000}) {
        const auto body = [](std::size_t i) {
          if (i == 70) throw std::out_of_range("step");
        };
        EXPECT_THROW(parallel_for(0, 100, body, granularity, conservative), std::out_of_range);
      }
      EXPECT_EQ(std::this_thread::get_id(), thread);
    }
  });
}

TEST_P(parlay_scheduler, gives_no_id_to_two_at_a_time) {
  on_all([] {
    const std::size_t ids = num_workers();
    ASSERT_EQ(ids, GetParam().workers + JACKDAW_PARLAY_CLIENTS);
    ASSERT_LT(worker_id(), ids);
    std::vector<std::atomic<int>> using_it(ids), count(ids);
    parallel_for(
        0, 2000,
        [&](std::size_t) {
          const std::size_t id = worker_id();
          ASSERT_LT(id, ids);
          EXPECT_EQ(using_it[id].fetch_add(1), 0);
          ++count[id];
          EXPECT_EQ(worker_id(), id);
          using_it[id].fetch_sub(1);
        },
        1);
    int sum = 0;
    for (const auto& each : count) sum += each;
    EXPECT_EQ(sum, 2000);
  });
}

TEST_P(parlay_scheduler, a_conservative_fork_runs_no_other_task) {
  // With another step on this thread, the one that waits and the other one would want the same thread's lock.
  on_all([] {
    std::mutex lock;
    std::atomic<std::thread::id> holder{};
    std::atomic<int> steps{0};
    parallel_for(
        0, 40,
        [&](std::size_t) {
          ASSERT_NE(holder.load(), std::this_thread::get_id());
          const std::lock_guard hold(lock);
          holder = std::this_thread::get_id();
          par_do([&] { ++steps; }, [&] { parallel_for(0, 5, [&](std::size_t) { ++steps; }, 1, true); }, true);
          holder = std::thread::id();
        },
        1);
    EXPECT_EQ(steps, 240);
  });
}

TEST_P(parlay_scheduler, a_scheduler_of_its_own_has_that_many_workers) {
  on_all([] {
    const auto thread = std::this_thread::get_id();
    std::atomic<int> made{0};
    parlay::execute_with_scheduler(3, [&] {
      EXPECT_EQ(num_workers(), 3u + JACKDAW_PARLAY_CLIENTS);
      parallel_for(0, 100, [&](std::size_t) { ++made; }, 1);
    });
    EXPECT_EQ(made, 100);
    EXPECT_EQ(num_workers(), GetParam().workers + JACKDAW_PARLAY_CLIENTS);
    EXPECT_EQ(std::this_thread::get_id(), thread);
    EXPECT_THROW(parlay::execute_with_scheduler(2, [] { throw std::runtime_error("inside"); }), std::runtime_error);
  });
}

INSTANTIATE_TEST_SUITE_P(all, parlay_scheduler,
                         testing::Values(how{"random", 1, false}, how{"random", 2, false}, how{"random", 5, false},
                                         how{"random", 5, true}, how{"adws", 1, false}, how{"adws", 2, false},
                                         how{"adws", 5, false}, how{"auto", 1, false}, how{"auto", 2, false},
                                         how{"auto", 5, false}),
                         [](const auto& given) {
                           return std::string(given.param.scheduler) + "_on_" + std::to_string(given.param.workers) +
                                  (given.param.moves ? "_moving" : "");
                         });

#if JACKDAW_PARLAY_CLIENTS > 0
TEST(parlay_clients, have_ids_of_their_own_and_leave_them_behind) {
  jackdaw::configure({.workers = 2});
  constexpr std::size_t clients = JACKDAW_PARLAY_CLIENTS;
  for (int round = 0; round != 3; ++round) {  // the ids of the threads that have ended serve again
    std::vector<std::atomic<int>> taken(num_workers());
    std::latch all(clients), done(clients);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i != clients; ++i) {
      threads.emplace_back([&] {
        const std::size_t id = worker_id();
        EXPECT_GE(id, 2u);
        EXPECT_LT(id, num_workers());
        EXPECT_EQ(taken[id].fetch_add(1), 0);
        all.arrive_and_wait();
        parallel_for(0, 1000, [&](std::size_t) { EXPECT_LT(worker_id(), 2u); }, 1);
        EXPECT_EQ(worker_id(), id);
        done.arrive_and_wait();
      });
    }
    for (std::thread& each : threads) each.join();
  }
}

TEST(parlay_clients, one_too_many_gets_an_error_that_says_what_to_do) {
  constexpr std::size_t clients = JACKDAW_PARLAY_CLIENTS;
  std::latch all(clients), done(1);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i != clients; ++i) {
    threads.emplace_back([&] {
      worker_id();
      all.count_down();
      done.wait();
    });
  }
  all.wait();
  try {
    worker_id();
    ADD_FAILURE() << "no error";
  } catch (const jackdaw::error& wrong) {
    EXPECT_NE(std::string(wrong.what()).find("-DJACKDAW_PARLAY_CLIENTS=4"), std::string::npos) << wrong.what();
  }
  done.count_down();
  for (std::thread& each : threads) each.join();
  EXPECT_LT(worker_id(), num_workers());  // one has ended
}
#else
TEST(parlay_clients, may_call_at_the_same_time) {
  jackdaw::configure({.workers = 2});
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i) {
    threads.emplace_back([] {
      EXPECT_EQ(worker_id(), 0u);
      std::vector<std::uint64_t> of_worker(num_workers());  // the thread's own, by id, without a lock
      for (int round = 0; round != 20; ++round) {
        parallel_for(0, 1000, [&](std::size_t) { ++of_worker[worker_id()]; }, 10);
        ++of_worker[worker_id()];
      }
      std::uint64_t sum = 0;
      for (const std::uint64_t each : of_worker) sum += each;
      EXPECT_EQ(sum, 20u * 1001);
    });
  }
  for (std::thread& each : threads) each.join();
}
#endif

TEST(parlay_num_threads, says_how_many_workers_there_are) {
  const auto workers_with = [](const char* parlay, const char* ours) {
    setenv("PARLAY_NUM_THREADS", parlay, 1);
    if (ours != nullptr) setenv("JACKDAW_WORKERS", ours, 1);
    // The variable is read when a program starts, as this test does again here.
    EXPECT_EXIT(std::_Exit(static_cast<int>(num_workers())), testing::ExitedWithCode(ours != nullptr ? 2 : 3), "");
    unsetenv("PARLAY_NUM_THREADS");
    unsetenv("JACKDAW_WORKERS");
  };
  if (JACKDAW_PARLAY_CLIENTS != 0) GTEST_SKIP() << "counts workers alone";
  workers_with("3", nullptr);
  workers_with("3", "2");
  setenv("PARLAY_NUM_THREADS", "many", 1);
  EXPECT_EXIT(std::_Exit(0), testing::ExitedWithCode(0), "PARLAY_NUM_THREADS is 'many' and ignored");
  unsetenv("PARLAY_NUM_THREADS");
}

}  // namespace
