// Isolated tasks: while one waits, its thread runs nothing that does not belong to it.
#include "jackdaw/isolate.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/fib.hpp"
#include "support/sanitized.hpp"
#include "support/spin.hpp"

namespace jackdaw {
namespace {

using namespace std::chrono_literals;
using test::fib;
using test::spin;

class isolated : public testing::TestWithParam<std::string> {
 protected:
  runtime rt{{.scheduler = GetParam(), .workers = 4, .pin = false}};
};
INSTANTIATE_TEST_SUITE_P(on, isolated, testing::Values("random", "adws", "auto", "laws"),
                         [](const auto& each) { return each.param; });

TEST_P(isolated, compute) {
  rt.run([] {
    for (int i = 0; i < 100; ++i) EXPECT_EQ(isolate([] { return fib(12); }), 144u);
    int value = 1;
    EXPECT_EQ(&isolate([&]() -> int& { return value; }), &value);
    isolate([&] { value = 2; });
    EXPECT_EQ(value, 2);
  });
}

TEST_P(isolated, pass_exceptions_on) {
  rt.run([] {
    EXPECT_THROW(isolate([] { invoke([] { throw std::runtime_error("it"); }, [] {}); }), std::runtime_error);
    EXPECT_EQ(isolate([] { return fib(5); }), 5u);
  });
}

thread_local int owner = -1;  // which element's function is on this thread, in a function or in a join

/// Each element is isolated while it forks. Whatever runs on its thread meanwhile has to be a part of it.
TEST_P(isolated, share_their_threads_with_nobody) {
  std::atomic<unsigned> strangers{0}, elsewhere{0}, at_home{0}, helped{0};
  rt.run([&] {
    for_index(
        0, test::sanitized ? 60 : 400,
        [&](int me) {
          if (owner != -1) ++strangers;
          owner = me;
          const std::thread::id before = std::this_thread::get_id();
          isolate([&] {
            for_index(
                0, 8,
                [&](int) {
                  if (owner != -1 && owner != me) ++strangers;
                  ++(owner == me ? at_home : helped);
                  spin(5us);
                },
                grain{1});
          });
          if (std::this_thread::get_id() != before) ++elsewhere;
          owner = -1;
        },
        grain{1});
  });
  EXPECT_EQ(strangers, 0u);
  EXPECT_EQ(elsewhere, 0u);
  EXPECT_GT(at_home, 0u);
  RecordProperty("helped", std::to_string(helped));
}

/// Each holds a lock of its thread, which all want.
TEST_P(isolated, may_hold_a_lock) {
  std::mutex lock;
  unsigned sum = 0;
  std::vector<unsigned> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 0u);
  rt.run([&] {
    for_index(
        0, 100,
        [&](int) {
          const std::lock_guard hold(lock);
          sum += isolate([&] { return reduce(numbers.begin(), numbers.end(), 0u); });
        },
        grain{1});
  });
  EXPECT_EQ(sum, 100u * 4950u);
}

unsigned nested(unsigned depth) {
  if (depth == 0) return 1;
  return isolate([=] {
    const auto [a, b] = invoke([=] { return nested(depth - 1); }, [=] { return nested(depth - 1); });
    return a + b;
  });
}

TEST_P(isolated, contain_others) {
  EXPECT_EQ(rt.run([] { return nested(5); }), 32u);
}

TEST_P(isolated, use_runtimes_and_arenas) {
  arena some(rt, {.workers = 2}), all(rt);
  runtime other({.workers = 1, .pin = false});
  rt.run([&] {
    for_index(
        0, 20,
        [&](int) {
          EXPECT_EQ(isolate([&] { return other.run([] { return fib(8); }) + rt.run([] { return fib(8); }); }), 42u);
          EXPECT_EQ(some.run([&] { return isolate([&] { return some.run([] { return fib(8); }); }); }), 21u);
          EXPECT_EQ(all.run([&] { return isolate([&] { return all.run([] { return fib(8); }); }); }), 21u);
        },
        grain{1});
  });
}

/// No more threads are in an arena than it has places.
TEST_P(isolated, keep_an_arenas_limit) {
  arena two(rt, {.workers = 2});
  std::atomic<int> inside{0}, most{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back([&] {
      two.run([&] {
        for_index(
            0, 30,
            [&](int) {
              isolate([&] {
                for_index(
                    0, 8,
                    [&](int) {
                      const int now = ++inside;
                      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
                      }
                      spin(20us);
                      --inside;
                    },
                    grain{1});
              });
            },
            grain{1});
      });
    });
  }
  for (std::thread& each : clients) each.join();
  EXPECT_LE(most, 2);
}

TEST_P(isolated, contain_tasks_that_return_to_their_threads) {
  std::atomic<unsigned> elsewhere{0};
  const auto tree = [&](auto& self, unsigned depth) -> void {
    const std::thread::id before = std::this_thread::get_id();
    tied([&] {
      if (depth > 0) {
        invoke([&] { self(self, depth - 1); }, [&] { self(self, depth - 1); });
      } else {
        spin(10us);
      }
    });
    if (std::this_thread::get_id() != before) ++elsewhere;
  };
  rt.run([&] { for_index(0, test::sanitized ? 10 : 60, [&](int) { isolate([&] { tree(tree, 5); }); }, grain{1}); });
  EXPECT_EQ(elsewhere, 0u);
}

/// A task within waits for what another thread brings about, and then goes on.
TEST_P(isolated, wait_for_other_threads) {
  semaphore open(0);
  std::thread opener([&] {
    for (int i = 0; i < 40; ++i) {
      std::this_thread::sleep_for(1ms);
      open.release();
    }
  });
  rt.run([&] {
    for (int i = 0; i < 20; ++i) {
      isolate([&] { invoke([&] { open.acquire(); }, [&] { open.acquire(); }); });
    }
  });
  opener.join();
}

TEST_P(isolated, of_many_clients) {
  arena low(rt, {.priority = priority::low}), high(rt, {.priority = priority::high});
  std::vector<std::thread> clients;
  for (int i = 0; i < 6; ++i) {
    clients.emplace_back([&, i] {
      for (int round = 0; round < (test::sanitized ? 20 : 150); ++round) {
        const auto root = [] { return isolate([] { return fib(8); }); };
        EXPECT_EQ(i % 3 == 0 ? low.run(root) : i % 3 == 1 ? high.run(root) : rt.run(root), 21u);
      }
    });
  }
  for (std::thread& each : clients) each.join();
}

/// Under a scheduler that rescues nothing, and more of them at once than have places for all workers.
TEST(isolated_all_at_once, go_on) {
  for (const unsigned workers : {2u, 20u}) {
    runtime rt({.scheduler = "adws:no-steal", .workers = workers, .pin = false});
    rt.run([] {
      for_index(0, 64, [](int) { isolate([] { for_index(0, 8, [](int) { spin(5us); }, grain{1}); }); }, grain{1});
    });
  }
}

TEST(isolated_on_one_worker, go_on) {
  runtime one({.workers = 1, .pin = false});
  runtime other({.workers = 1, .pin = false});
  arena some(one);
  semaphore open(0);
  std::thread opener([&] {
    std::this_thread::sleep_for(20ms);
    open.release();
  });
  one.run([&] {
    isolate([&] { open.acquire(); });
    EXPECT_EQ(isolate([&] { return other.run([] { return isolate([] { return fib(10); }); }); }), 55u);
    EXPECT_EQ(nested(4), 16u);
  });
  EXPECT_EQ(some.run([] { return nested(4); }), 16u);
  opener.join();
}

TEST(isolated_outside_of_tasks, run_in_the_default_runtime) {
  EXPECT_EQ(isolate([] { return this_worker() ? fib(9) : 0; }), 34u);
  invoke([] { EXPECT_EQ(isolate([] { return fib(9); }), 34u); }, [] {});
  shutdown();  // what isolate() has made is no arena of anybody's
  EXPECT_EQ(isolate([] { return fib(9); }), 34u);
}

/// The workers block on a lock that the thread holds. It runs its task itself.
TEST(isolated_outside_of_tasks, may_hold_a_lock_that_all_workers_wait_for) {
  std::mutex lock;
  std::atomic<bool> stops{false};
  std::atomic<int> called{0};
  std::thread other([&] {
    for (; !stops; ++called) {
      for_index(0, 100, [&](int) { const std::lock_guard hold(lock); }, grain{1});
      invoke([&] { const std::lock_guard hold(lock); }, [&] { const std::lock_guard hold(lock); });
    }
  });
  for (int round = 0, seen = -1; round < 300; ++round) {
    while (called == seen) std::this_thread::yield();
    seen = called;
    const std::lock_guard hold(lock);
    std::atomic<int> sum{0};
    const std::thread::id here = std::this_thread::get_id();
    isolate([&] {
      for_index(0, 200, [&](int i) { sum += i; }, grain{5});
      tied([&] { invoke([&] { fib(8); }, [&] { fib(8); }); });
    });
    ASSERT_EQ(sum, 19900);
    ASSERT_EQ(std::this_thread::get_id(), here);
  }
  stops = true;
  other.join();
}

/// Each of many threads, while tasks isolate others, and the runtime ends and starts anew.
/// The workers may be busy on all of their processors.
TEST(isolated_outside_of_tasks, stay_on_the_processors_of_their_thread) {
  const auto mask = [] {
    cpu_set_t now;
    CPU_ZERO(&now);
    EXPECT_EQ(sched_getaffinity(0, sizeof now, &now), 0);
    return now;
  };
  shutdown();
  configure({.workers = 2, .pin = true});
  const cpu_set_t before = mask();
  const std::thread::id here = std::this_thread::get_id();
  for (int round = 0; round < 20; ++round) {
    const auto outer = [&] {
      const auto inner = [&](int) {
        const cpu_set_t now = mask();
        EXPECT_TRUE(std::this_thread::get_id() != here || CPU_EQUAL(&now, &before));
        spin(20us);
      };
      for_index(0, 8, inner, grain{1});
      isolate([&] { for_index(0, 8, inner, grain{1}); });
    };
    isolate(outer);
  }
  shutdown();
  configure({});
}

TEST(isolated_outside_of_tasks, of_many_threads) {
  std::mutex lock;
  int held = 0;
  std::vector<std::thread> threads;
  for (int client = 0; client < 6; ++client) {
    threads.emplace_back([&, client] {
      const auto hold_it = [&] {
        const std::lock_guard hold(lock);
        const int before = ++held;
        EXPECT_EQ(isolate([&] { return isolate([] { return fib(7); }) + fib(6); }), 21u);
        EXPECT_EQ(held, before);
      };
      for (int round = 0; round < 100; ++round) {
        client % 2 == 0 ? hold_it() : invoke(hold_it, hold_it);
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(held, 900);
  EXPECT_THROW(isolate([] { throw std::runtime_error("seen outside"); }), std::runtime_error);
}

TEST(isolated_in_a_recording, run_in_place) {
  const std::string trace = testing::TempDir() + "isolated-" + std::to_string(getpid()) + ".trace";
  {
    runtime rt({.record = trace});
    rt.run([] { for_index(0, 4, [](int) { EXPECT_EQ(isolate([] { return fib(5); }), 5u); }, grain{1}); });
  }
  EXPECT_EQ(unlink(trace.c_str()), 0);
}

TEST(isolated_after_a_fork, run_again) {
  if (test::sanitized) GTEST_SKIP() << "sanitizers do not follow a fork() beside threads";
  runtime rt({.workers = 2, .pin = false});
  rt.run([] { isolate([] { return fib(9); }); });
  const pid_t child = fork();
  if (child == 0) _exit(rt.run([] { return isolate([] { return fib(10); }); }) == 55 ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace jackdaw
