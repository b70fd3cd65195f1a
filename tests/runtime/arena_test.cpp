// Arenas: parts of a runtime's workers.
#include "jackdaw/arena.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
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

/// How many threads are in it at the same time.
class meter {
 public:
  void enter() {
    const int now = ++inside_;
    for (int most = most_; now > most && !most_.compare_exchange_weak(most, now);) {
    }
  }
  void leave() { --inside_; }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_{0}, most_{0};
};

class arenas : public testing::TestWithParam<std::string> {
 protected:
  runtime rt{{.scheduler = GetParam(), .workers = 4, .pin = false}};
};
INSTANTIATE_TEST_SUITE_P(on, arenas, testing::Values("random", "adws", "auto"),
                         [](const auto& each) { return each.param; });

TEST_P(arenas, compute) {
  for (const unsigned workers : {1u, 2u, 4u}) {
    arena some(rt, {.workers = workers});
    EXPECT_EQ(some.workers(), workers);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(some.run([] { return fib(12); }), 144u);
  }
}

TEST_P(arenas, have_no_more_workers_than_they_may) {
  arena two(rt, {.workers = 2});
  meter counted;
  std::mutex guard;
  std::set<std::thread::id> threads;
  two.run([&] {
    EXPECT_EQ(concurrency(), 2u);
    for_index(0, 200, [&](int) {
      EXPECT_LT(this_worker().value(), 2u);
      counted.enter();
      spin(100us);
      counted.leave();
      const std::lock_guard hold(guard);
      threads.insert(std::this_thread::get_id());
    });
  });
  EXPECT_LE(counted.most(), 2);
  EXPECT_GE(threads.size(), 1u);
}

TEST_P(arenas, are_used_by_tasks_of_their_runtime) {
  arena two(rt, {.workers = 2});
  std::atomic<unsigned> sum{0};
  rt.run([&] { for_index(0, 40, [&](int) { sum += two.run([] { return fib(8); }); }); });
  EXPECT_EQ(sum, 40u * 21);
}

TEST_P(arenas, use_their_runtime) {
  arena two(rt, {.workers = 2});
  std::atomic<unsigned> sum{0};
  two.run([&] { for_index(0, 40, [&](int) { sum += rt.run([] { return fib(8); }); }); });
  EXPECT_EQ(sum, 40u * 21);
}

TEST_P(arenas, end_with_work_of_many_clients) {
  arena two(rt, {.workers = 2}), three(rt, {.workers = 3, .scheduler = "random"});
  std::vector<std::thread> clients;
  std::atomic<unsigned> wrong{0};
  for (unsigned i = 0; i < 6; ++i) {
    clients.emplace_back([&, i] {
      for (unsigned round = 0; round < (test::sanitized ? 30u : 200u); ++round) {
        const auto work = [] { return fib(10); };
        const unsigned got = i % 3 == 0 ? two.run(work) : i % 3 == 1 ? three.run(work) : rt.run(work);
        if (got != 55) ++wrong;
      }
    });
  }
  for (std::thread& each : clients) each.join();
  EXPECT_EQ(wrong, 0u);
}

TEST_P(arenas, begin_and_end_in_tasks) {
  rt.run([&] {
    for_index(0, 30, [&](int) {
      arena own(rt, {.workers = 2});
      EXPECT_EQ(own.run([] { return fib(7); }), 13u);
    });
  });
}

/// The workers that would run what is outstanding are those that wait for it.
TEST_P(arenas, end_in_tasks_with_work_outstanding) {
  for (const unsigned workers : {1u, 2u}) {
    runtime few({.scheduler = GetParam(), .workers = workers, .pin = false});
    std::atomic<unsigned> sum{0};
    few.run([&] {
      for_index(
          0, 20,
          [&](int) {
            arena own(few);
            (void)own.async([&] { sum += fib(7); });
          },
          grain{1});
    });
    EXPECT_EQ(sum, 20u * 13);
  }
}

/// One worker is away for long. The other one does what was placed with it.
TEST_P(arenas, keep_no_tasks_waiting_for_workers_that_are_away) {
  runtime few({.scheduler = GetParam(), .workers = 2, .pin = false});
  arena background(few, {.workers = 1});
  std::atomic<bool> stop{false};
  auto away = background.async([&] {
    while (!stop) std::this_thread::sleep_for(1ms);
  });
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 50; ++i) few.run([] { for_index(0, 100, [](int) { spin(5us); }); });
  EXPECT_LT(std::chrono::steady_clock::now() - began, 10s);  // 600 ms each when it waited
  stop = true;
  away.get();
}

TEST_P(arenas, without_work_end) {
  for (int i = 0; i < 20; ++i) const arena unused(rt);
}

TEST_P(arenas, run_what_nobody_waits_for) {
  arena two(rt, {.workers = 2});
  std::vector<future<unsigned>> all;
  for (int i = 0; i < 30; ++i) all.push_back(two.async([] { return fib(9); }));
  for (auto& each : all) EXPECT_EQ(each.get(), 34u);
}

/// The arena's root is long; those of the runtime and of another arena get their turns.
TEST_P(arenas, share_the_workers) {
  arena all(rt), other(rt, {.workers = 2});
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    all.run([&] {
      while (!stop) for_index(0, 64, [&](int) { spin(200us); }, grain{1});
    });
  });
  std::this_thread::sleep_for(20ms);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(rt.run([] { return fib(10); }), 55u);
    EXPECT_EQ(other.run([] { return fib(10); }), 55u);
  }
  stop = true;
  busy.join();
}

TEST_P(arenas, give_turns_to_an_arena_beside_a_long_root) {
  arena two(rt, {.workers = 2});
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    rt.run([&] {
      while (!stop) for_index(0, 64, [&](int) { spin(200us); }, grain{1});
    });
  });
  std::this_thread::sleep_for(20ms);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(two.run([] { return fib(10); }), 55u);
  stop = true;
  busy.join();
}

TEST_P(arenas, have_tasks_that_return_to_their_threads) {
  arena two(rt, {.workers = 2}), one(rt, {.workers = 1});
  std::atomic<unsigned> elsewhere{0}, moved{0};
  const auto tree = [&](auto& self, unsigned depth) -> void {
    const std::thread::id before = std::this_thread::get_id();
    tied([&] {
      if (depth == 0) {
        spin(20us);
      } else {
        invoke([&] { self(self, depth - 1); }, [&] { self(self, depth - 1); });
        if (depth % 3 == 0) rt.run([] { return fib(5); });
      }
      if (std::this_thread::get_id() != before) ++moved;
    });
    if (std::this_thread::get_id() != before) ++elsewhere;
  };
  std::vector<std::thread> clients;
  for (unsigned i = 0; i < 4; ++i) {
    clients.emplace_back([&, i] {
      for (unsigned round = 0; round < (test::sanitized ? 5u : 30u); ++round) {
        (i % 2 == 0 ? two : one).run([&] { tree(tree, 7); });
      }
    });
  }
  for (std::thread& each : clients) each.join();
  EXPECT_EQ(elsewhere, 0u);
  RecordProperty("moved", std::to_string(moved));
}

/// A tied task goes on on the thread of a busy worker, and forks until a root of the runtime has run. That worker's
/// thread, which was brought to the arena for it, has to give the root a turn.
TEST_P(arenas, give_turns_beside_tasks_that_returned_to_their_threads) {
  runtime two({.scheduler = GetParam(), .workers = 2, .pin = false});
  arena some(two);
  for (int round = 0; round < 10; ++round) {
    std::atomic<bool> other_begun{false}, other_ends{false}, waits{false}, keeps_busy{false}, leaves_off{false};
    std::atomic<bool> back{false}, root_has_run{false};
    semaphore goes_on(0);
    future<void> busy = two.async([&] {  // one worker's thread does not come
      other_begun = true;
      while (!other_ends) std::this_thread::sleep_for(100us);
    });
    while (!other_begun) std::this_thread::yield();
    std::thread client([&] {
      some.run([&] {
        invoke(
            [&] {
              tied([&] {
                waits = true;
                goes_on.acquire();
              });
              back = true;
              while (!root_has_run) for_index(0, 16, [](int) { spin(50us); }, grain{1});
            },
            [&] {
              const auto until = std::chrono::steady_clock::now() + 100ms;
              while (!waits && std::chrono::steady_clock::now() < until) std::this_thread::yield();
              std::this_thread::sleep_for(5ms);  // the other worker's thread leaves the arena
              future<void> leaf = two.async([&] {
                keeps_busy = true;
                while (!leaves_off) std::this_thread::yield();
              });
              goes_on.release();
              leaves_off = true;
              leaf.get();
            });
      });
    });
    while (!back) std::this_thread::sleep_for(100us);
    two.run([&] { root_has_run = true; });
    other_ends = true;
    client.join();
    busy.get();
  }
}

/// What returns to the threads of tasks that are about to end an arena does not wait for these.
TEST_P(arenas, end_in_tasks_whose_threads_were_called) {
  std::atomic<bool> enough{false};
  std::atomic<unsigned> ended{0};
  std::vector<std::thread> clients;
  runtime two({.scheduler = GetParam(), .workers = 2, .pin = false});
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back([&] {
      while (!enough) {
        two.run([&] {
          arena own(two, {.scheduler = GetParam()});
          own.run([] { for_index(0, 16, [](int) { tied([] { fib(4); }); }, grain{1}); });
        });
        ++ended;
      }
    });
  }
  std::this_thread::sleep_for(300ms);
  enough = true;
  for (std::thread& each : clients) each.join();
  EXPECT_GT(ended, 2u);
}

TEST_P(arenas, of_tasks_end_before_their_runtime) {
  for (int round = 0; round < 10; ++round) {
    std::atomic<bool> begun{false}, ended{false};
    {
      runtime two({.scheduler = GetParam(), .workers = 2, .pin = false});
      const auto left = two.async([&] {
        const auto own = std::make_unique<arena>(two);
        begun = true;
        own->run([] { spin(2ms); });
        ended = true;
      });
      while (!begun) std::this_thread::yield();
    }
    EXPECT_TRUE(ended);
  }
}

TEST(arenas_death_test, that_outlive_their_runtime_end_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        auto rt = std::make_unique<runtime>(options{.workers = 2});
        const arena left(*rt);
        rt.reset();
      },
      "a runtime has ended before an arena of its workers");
}

TEST(arenas_death_test, that_are_static_let_a_task_end_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        static arena one;
        one.run([] { std::exit(7); });
      },
      testing::ExitedWithCode(7), "");
}

TEST(arenas_of_a_runtime_that_records, run_in_its_worker) {
  const std::string file = testing::TempDir() + "jackdaw-arena-" + std::to_string(getpid());
  {
    runtime rt({.workers = 4, .record = file});
    arena two(rt, {.workers = 2});
    EXPECT_EQ(two.run([] { return fib(8); }), 21u);
    EXPECT_EQ(rt.run([&] { return two.run([] { return fib(9); }); }), 34u);
    EXPECT_EQ(two.async([] { return fib(5); }).get(), 5u);
  }
  EXPECT_EQ(unlink(file.c_str()), 0);
}

TEST(arenas_of_the_default_runtime, keep_it) {
  {
    arena one({.workers = 1});
    EXPECT_EQ(one.run([] { return fib(5); }), 5u);
    EXPECT_THROW(shutdown(), error);
    EXPECT_EQ(one.run([] { return fib(6); }), 8u);
  }
  shutdown();
}

TEST(arenas_of_the_default_runtime, may_begin_while_others_shut_it_down) {
  std::atomic<unsigned> refused{0}, computed{0};
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i) {
    all.emplace_back([&, shuts = i % 2 == 0] {
      for (int round = 0; round < 50; ++round) {
        try {
          if (shuts) {
            shutdown();
          } else {
            arena own({.workers = 1});
            computed += own.run([] { return fib(5); });
          }
        } catch (const error&) {
          ++refused;
        }
      }
    });
  }
  for (std::thread& each : all) each.join();
  EXPECT_GE(computed + 5 * refused, 2 * 50 * 5u);
  shutdown();
}

TEST(arenas_after_a_fork, begin_anew) {
  if (test::sanitized) GTEST_SKIP() << "sanitizers do not follow a fork() beside threads";
  runtime rt({.workers = 2, .pin = false});
  arena two(rt);
  EXPECT_EQ(two.run([] { return fib(9); }), 34u);
  const pid_t child = fork();
  if (child == 0) _exit(two.run([] { return fib(10); }) == 55 && rt.run([] { return fib(5); }) == 5 ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(two.run([] { return fib(11); }), 89u);
}

/// On a described machine the workers are where the description says, but run on any processor.
TEST(arena_options, choose_a_type_of_cores) {
  setenv("HWLOC_XMLFILE", JACKDAW_TEST_DATA "/two-kinds-of-cores.xml", 1);
  runtime rt({.workers = 6});
  unsetenv("HWLOC_XMLFILE");
  ASSERT_EQ(rt.where().core_types.size(), 2u);
  for (const machine::core_type& type : rt.where().core_types) {
    arena of_type(rt, {.core_type = type.index});
    EXPECT_EQ(of_type.workers(), type.cores.size());
    for (unsigned i = 0; i < of_type.workers(); ++i) {
      EXPECT_EQ(rt.where().cores[of_type.place(i).core].type, type.index);
    }
    EXPECT_EQ(of_type.run([] { return fib(10); }), 55u);
  }
}

TEST(arena_options, that_cannot_be_used_are_errors) {
  runtime rt({.workers = 2, .pin = false});
  EXPECT_THROW(arena(rt, {.node = 4711}), error);
  EXPECT_THROW(arena(rt, {.core_type = 4711}), error);
  EXPECT_THROW(arena(rt, {.node = 4711, .core_type = 4711}), error);
  EXPECT_EQ(arena(rt, {.core_type = rt.where().cores[rt.place(0).core].type}).workers(), 2u);
  EXPECT_THROW(arena(rt, {.scheduler = "laws"}), error);
  EXPECT_THROW(arena(rt, {.scheduler = "none"}), error);
  EXPECT_EQ(arena(rt, {.workers = 100}).workers(), 2u);
}

}  // namespace
}  // namespace jackdaw
