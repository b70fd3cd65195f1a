// Arenas of low and high priority: README-arena.md.
#include "jackdaw/priority.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
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
using clock = std::chrono::steady_clock;

/// Roots of many leaves, one after another, until stop() is called; counts the leaves.
class load {
 public:
  template <class Where>
  explicit load(Where& in)
      : client_([this, &in] {
          in.run([&] {
            while (!stops_) {
              for_index(
                  0, 64,
                  [&](int) {
                    spin(100us);
                    ++leaves_;
                  },
                  grain{1});
            }
          });
        }) {
    while (leaves_ == 0) std::this_thread::yield();
  }
  ~load() { stop(); }
  void stop() {
    stops_ = true;
    if (client_.joinable()) client_.join();
  }
  unsigned leaves() const { return leaves_; }

 private:
  std::atomic<bool> stops_{false};
  std::atomic<unsigned> leaves_{0};
  std::thread client_;
};

class priorities : public testing::TestWithParam<std::string> {
 protected:
  runtime rt{{.scheduler = GetParam(), .workers = 3, .pin = false}};
  arena low{rt, {.priority = priority::low}};
  arena high{rt, {.priority = priority::high}};
};
INSTANTIATE_TEST_SUITE_P(on, priorities, testing::Values("random", "adws", "auto", "laws"),
                         [](const auto& each) { return each.param; });

TEST_P(priorities, compute) {
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(low.run([] { return fib(12); }), 144u);
    EXPECT_EQ(high.run([] { return fib(12); }), 144u);
    EXPECT_EQ(rt.run([] { return fib(12); }), 144u);
  }
}

TEST_P(priorities, of_roots_that_nobody_waits_for) {
  std::vector<future<unsigned>> all;
  for (int i = 0; i < 60; ++i) all.push_back((i % 2 == 0 ? low : high).async([] { return fib(11); }));
  for (auto& each : all) EXPECT_EQ(each.get(), 89u);
}

TEST_P(priorities, of_roots_of_tasks) {
  EXPECT_EQ(rt.run([&] { return low.run([&] { return high.run([&] { return rt.run([] { return fib(9); }); }); }); }),
            34u);
  EXPECT_EQ(high.run([&] { return low.run([&] { return rt.run([&] { return high.run([] { return fib(9); }); }); }); }),
            34u);
}

TEST_P(priorities, pass_exceptions_on) {
  EXPECT_THROW(low.run([] { throw std::runtime_error("low"); }), std::runtime_error);
  EXPECT_THROW(high.run([] { throw std::runtime_error("high"); }), std::runtime_error);
}

TEST_P(priorities, low_uses_what_the_rest_leaves) {
  std::atomic<bool> stops{false};
  std::thread client([&] {
    rt.run([&] {
      while (!stops) spin(100us);
    });
  });
  load spare(low);
  const unsigned before = spare.leaves();
  while (spare.leaves() < before + 300) std::this_thread::yield();
  stops = true;
  client.join();
}

/// Returns how many leaves the other load gets while this one gets 300, if that is less than `enough`. A worker that
/// the system holds up leaves the others without work, so it may take several tries; otherwise it returns the last
/// number.
unsigned leaves_beside(const load& one, const load& other, unsigned enough) {
  unsigned got = 0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    const unsigned before = one.leaves(), other_before = other.leaves();
    while (one.leaves() < before + 300) std::this_thread::yield();
    got = other.leaves() - other_before;
    if (got < enough) break;
  }
  return got;
}

/// Workers come back from an arena of low priority for all that the runtime has to do. Otherwise they would take turns.
TEST_P(priorities, low_makes_way) {
  const load spare(low), busy(rt);
  EXPECT_LT(leaves_beside(busy, spare, 100), 100u);
}

TEST_P(priorities, low_shares_with_low) {
  arena other(rt, {.workers = 1, .priority = priority::low});
  load spare(low);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(other.async([] { return fib(10); }).get(), 55u);
}

TEST_P(priorities, high_does_not_wait_for_the_rest) {
  load busy(rt), more(rt);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(high.async([] { return fib(10); }).get(), 55u);
}

/// While an arena of high priority has enough for all workers, roots of the runtime get next to nothing.
TEST_P(priorities, high_keeps_its_workers) {
  const load busy(rt), first(high);
  EXPECT_LT(leaves_beside(first, busy, 100), 100u);
}

TEST_P(priorities, high_shares_with_high) {
  arena other(rt, {.priority = priority::high});
  load busy(high);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(other.async([] { return fib(10); }).get(), 55u);
}

/// Small loops of a client, beside an arena of low priority that has enough for all workers.
TEST_P(priorities, low_lets_small_roots_by) {
  load spare(low);
  std::vector<double> values(4096, 1);
  for (int i = 0; i < (test::sanitized ? 50 : 500); ++i) {
    rt.run([&] { for_index(0u, 4096u, [&](unsigned at) { values[at] += 1; }, grain{256}); });
  }
  EXPECT_EQ(values[77], test::sanitized ? 51 : 501);
}

/// Tasks that return to the threads of workers, which are home or elsewhere meanwhile.
TEST_P(priorities, have_tasks_that_return_to_their_threads) {
  std::atomic<unsigned> elsewhere{0};
  const auto tree = [&](auto& self, unsigned depth) -> void {
    const std::thread::id before = std::this_thread::get_id();
    tied([&] {
      if (depth == 0) {
        spin(10us);
      } else {
        invoke([&] { self(self, depth - 1); }, [&] { self(self, depth - 1); });
        if (depth % 3 == 0) (depth % 2 == 0 ? low : high).run([] { return fib(5); });
      }
    });
    if (std::this_thread::get_id() != before) ++elsewhere;
  };
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&, i] {
      for (int round = 0; round < (test::sanitized ? 3 : 15); ++round) {
        const auto root = [&] { tree(tree, 6); };
        i == 0 ? low.run(root) : i == 1 ? high.run(root) : rt.run(root);
      }
    });
  }
  for (std::thread& each : clients) each.join();
  EXPECT_EQ(elsewhere, 0u);
}

TEST_P(priorities, begin_and_end_beside_work) {
  load spare(low);
  for (int i = 0; i < 40; ++i) {
    arena some(rt, {.workers = 2, .priority = i % 2 == 0 ? priority::low : priority::high});
    if (i % 4 < 2) (void)some.async([] { return fib(8); });
    if (i % 3 == 0) {
      EXPECT_EQ(some.run([] { return fib(8); }), 21u);
    }
  }
}

/// In a task, beside which no worker has anything less urgent to do as long as it keeps asking.
TEST_P(priorities, end_with_work_outstanding_in_more_urgent_tasks) {
  const auto end_one = [&](priority inner) {
    for_index(
        0, 4,
        [&](int) {
          arena some(rt, {.priority = inner});
          (void)some.async([] { return fib(5); });
        },
        grain{1});
  };
  for (const priority inner : {priority::low, priority::normal, priority::high}) {
    rt.run([&] { end_one(inner); });
    low.async([&] { end_one(inner); }).get();
    high.async([&] { end_one(inner); }).get();
  }
}

/// A root of the runtime does not wait for the end of a long leaf of low priority while other workers sleep, although
/// it may have been placed with the worker whose thread is there. 20 ms are the system's.
TEST_P(priorities, low_is_no_burden_while_workers_sleep) {
  arena one(rt, {.workers = 1, .priority = priority::low});
  unsigned late = 0;
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> begun{false}, ends{false};
    future<void> leaf = one.async([&] {
      begun = true;
      const auto limit = clock::now() + 100ms;
      while (!ends && clock::now() < limit) std::this_thread::yield();
    });
    while (!begun) std::this_thread::yield();
    std::this_thread::sleep_for(1ms);
    const auto sent = clock::now();
    rt.async([] {}).get();
    late += clock::now() - sent > 90ms;
    ends = true;
    leaf.get();
  }
  EXPECT_LE(late, 2u);
}

/// A task that is tied to a thread goes on while that thread's worker has nothing else: the thread comes back from an
/// arena although its place there has been lent to a client.
TEST_P(priorities, threads_come_back_although_their_places_were_lent) {
  load spare(low);
  for (int i = 0; i < (test::sanitized ? 3 : 10); ++i) {
    std::thread client([&] { low.run([&] { tied([] { invoke([] { spin(50us); }, [] { spin(50us); }); }); }); });
    rt.run([&] {
      const std::thread::id before = std::this_thread::get_id();
      tied([&] { for_index(0, 8, [](int) { spin(50us); }, grain{1}); });
      EXPECT_EQ(std::this_thread::get_id(), before);
    });
    client.join();
  }
}

/// Many clients of all kinds at once: nothing is lost, nobody hangs.
TEST_P(priorities, of_many_clients) {
  std::vector<std::thread> clients;
  for (int i = 0; i < 6; ++i) {
    clients.emplace_back([&, i] {
      for (int round = 0; round < (test::sanitized ? 60 : 600); ++round) {
        const auto root = [] { return fib(8); };
        EXPECT_EQ(i % 3 == 0 ? low.run(root) : i % 3 == 1 ? high.run(root) : rt.run(root), 21u);
        if (round % 50 == 0) std::this_thread::sleep_for(1ms);
      }
    });
  }
  for (std::thread& each : clients) each.join();
}

TEST(priorities_after_a_fork, are_the_same) {
  if (test::sanitized) GTEST_SKIP() << "sanitizers do not follow a fork() beside threads";
  runtime rt({.workers = 2, .pin = false});
  arena low(rt, {.priority = priority::low}), high(rt, {.priority = priority::high});
  EXPECT_EQ(low.run([] { return fib(9); }), 34u);
  const pid_t child = fork();
  if (child == 0) {
    _exit(low.run([] { return fib(10); }) == 55 && high.async([] { return fib(5); }).get() == 5 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(high.run([] { return fib(11); }), 89u);
}

TEST(priorities_of_one_worker, end_with_work_outstanding_in_more_urgent_tasks) {
  runtime rt({.workers = 1, .pin = false});
  arena low(rt, {.priority = priority::low}), high(rt, {.priority = priority::high});
  rt.run([&] {
    arena some(rt, {.priority = priority::low});
    (void)some.async([] { return fib(5); });
  });
  high.async([&] {
        arena some(rt);
        (void)some.async([] { return fib(5); });
      })
      .get();
  // Another runtime that waits for an arena of low priority ends in a task.
  rt.run([&] {
    runtime other({.workers = 1, .pin = false});
    (void)other.async([&] { return low.run([] { return fib(5); }); });
  });
}

TEST(priorities_of_one_worker, compute) {
  runtime rt({.workers = 1, .pin = false});
  arena low(rt, {.priority = priority::low}), high(rt, {.priority = priority::high});
  for (int i = 0; i < 100; ++i) {
    future<unsigned> later = low.async([] { return fib(9); });
    EXPECT_EQ(rt.run([&] { return high.run([] { return fib(8); }); }), 21u);
    EXPECT_EQ(later.get(), 34u);
  }
}

TEST(priorities_that_are_none, are_errors) {
  runtime rt({.workers = 1, .pin = false});
  EXPECT_THROW(arena(rt, {.priority = static_cast<priority>(7)}), error);
}

}  // namespace
}  // namespace jackdaw
