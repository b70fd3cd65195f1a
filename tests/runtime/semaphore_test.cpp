// Slots that tasks and threads take: how many there are at once, who waits, and what a holder may do meanwhile.
#include "jackdaw/semaphore.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/counter.hpp"
#include "support/fib.hpp"
#include "support/sanitized.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::runtime;
using jackdaw::semaphore;
using jackdaw::test::counter;
using namespace std::chrono_literals;

class semaphores : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  runtime rt{{.scheduler = std::get<0>(GetParam()), .workers = std::get<1>(GetParam()), .pin = false}};
};
INSTANTIATE_TEST_SUITE_P(all, semaphores,
                         testing::Combine(testing::ValuesIn(jackdaw::test::diverse_schedulers()),
                                          testing::Values(1u, 2u, 5u)),
                         [](const auto& each) {
                           return jackdaw::test::word(std::get<0>(each.param)) + "_on_" +
                                  std::to_string(std::get<1>(each.param));
                         });

TEST_P(semaphores, let_in_as_many_as_they_have_slots) {
  for (const int slots : {1, 2, 3}) {
    semaphore few(static_cast<std::size_t>(slots));
    counter inside;
    std::atomic<int> done = 0;
    rt.run([&] {
      jackdaw::for_index(
          0, 200,
          [&](int) {
            few.hold([&] {
              inside.begin();
              jackdaw::invoke([] { std::this_thread::yield(); }, [] {});
              inside.end();
            });
            ++done;
          },
          jackdaw::grain{1});
    });
    EXPECT_EQ(done, 200);
    EXPECT_LE(inside.most(), slots);
  }
}

/// Plain numbers: a race is one for ThreadSanitizer, too.
TEST_P(semaphores, with_one_slot_are_locks_across_forks) {
  semaphore lock(1);
  std::uint64_t calls = 0, sum = 0;
  rt.run([&] {
    jackdaw::for_index(
        0, 100,
        [&](int i) {
          lock.hold([&] {
            ++calls;
            std::vector<std::uint64_t> of(200, static_cast<std::uint64_t>(i));
            const std::uint64_t all = jackdaw::reduce(of, std::uint64_t{0});
            sum += all;
          });
        },
        jackdaw::grain{1});
  });
  EXPECT_EQ(calls, 100u);
  EXPECT_EQ(sum, 200u * 99 * 100 / 2);
}

/// The slots are given back by other tasks than those that took them, and in the other order.
TEST_P(semaphores, pass_slots_between_tasks) {
  semaphore full(0), room_left(3);
  std::vector<int> seen;
  std::atomic<int> put = 0;
  rt.run([&] {
    jackdaw::invoke(
        [&] {
          for (int i = 0; i < 500; ++i) {
            room_left.acquire();
            put = i;
            full.release();
          }
        },
        [&] {
          for (int i = 0; i < 500; ++i) {
            full.acquire();
            seen.push_back(i);
            EXPECT_GE(put, i);
            EXPECT_LE(put, i + 3);
            room_left.release();
          }
        });
  });
  EXPECT_EQ(seen.size(), 500u);
}

/// With threads outside of tasks, and tasks of another runtime.
TEST_P(semaphores, are_shared_by_threads_and_runtimes) {
  runtime other({.scheduler = "random", .workers = 2, .pin = false});
  semaphore two(2);
  counter inside;
  std::atomic<int> done = 0;
  const auto visit = [&](int) {
    two.hold([&] {
      inside.begin();
      jackdaw::test::fib(6);
      inside.end();
    });
    ++done;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      if (i == 0) {
        for (int k = 0; k < 100; ++k) visit(k);
      } else {
        (i == 1 ? rt : other).run([&] { jackdaw::for_index(0, 100, visit, jackdaw::grain{1}); });
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(done, 300);
  EXPECT_LE(inside.most(), 2);
}

TEST_P(semaphores, give_the_slot_back_when_something_is_thrown) {
  semaphore one(1);
  rt.run([&] {
    jackdaw::for_index(
        0, 50,
        [&](int i) {
          EXPECT_THROW(one.hold([i]() -> int { throw std::runtime_error(std::to_string(i)); }), std::runtime_error);
          EXPECT_EQ(one.hold([i] { return i; }), i);
        },
        jackdaw::grain{1});
  });
  EXPECT_TRUE(one.try_acquire());
  EXPECT_FALSE(one.try_acquire());
}

/// A loop within a loop, each with a limit: the inner tasks of one wait below the slot of the other.
TEST_P(semaphores, of_two_levels) {
  semaphore outer(2), inner(1);
  std::atomic<int> done = 0;
  rt.run([&] {
    jackdaw::for_index(
        0, 20,
        [&](int) {
          outer.hold([&] { jackdaw::for_index(0, 20, [&](int) { inner.hold([&] { ++done; }); }, jackdaw::grain{1}); });
        },
        jackdaw::grain{1});
  });
  EXPECT_EQ(done, 400);
}

TEST_P(semaphores, end_with_the_task_that_waited_last) {
  for (int round = 0; round < 200; ++round) {
    auto gate = std::make_unique<semaphore>(0);
    std::thread opens([&] { gate->release(); });
    rt.run([&] { gate->acquire(); });
    opens.join();
  }
}

TEST(semaphores_of_tasks, serve_first_who_came_first) {
  runtime rt({.scheduler = "random", .workers = 1});
  semaphore gate(0);
  std::vector<int> order;
  rt.run([&] {
    jackdaw::task_group group;
    for (int i = 0; i < 10; ++i) {
      group.run([&, i] {
        gate.acquire();
        order.push_back(i);
        gate.release();
      });
    }
    gate.release();
    group.wait();
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(semaphores_of_tasks, work_where_tasks_run_in_serial_order) {
  const std::string trace = testing::TempDir() + "semaphores." + std::to_string(getpid()) + ".trace";
  {
    runtime rt({.record = trace});
    semaphore one(1);
    int done = 0;
    rt.run([&] { jackdaw::for_index(0, 100, [&](int) { one.hold([&] { ++done; }); }, jackdaw::grain{1}); });
    EXPECT_EQ(done, 100);
  }
  std::remove(trace.c_str());
}

/// A static semaphore for which a task waits when main() returns.
semaphore never(0);

TEST(semaphores_of_tasks, may_wait_while_the_process_exits) {
  EXPECT_EXIT(
      {
        auto* const rt = new runtime({.workers = 1});
        (void)rt->async([] { never.acquire(); });
        std::this_thread::sleep_for(50ms);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(semaphores_of_tasks, are_not_destroyed_while_somebody_waits) {
  EXPECT_DEATH(
      {
        auto* const one = new semaphore(0);
        std::thread([one] { one->acquire(); }).detach();
        std::this_thread::sleep_for(200ms);
        delete one;
      },
      "a semaphore was destroyed while a task or thread waited for a slot");
}

}  // namespace
