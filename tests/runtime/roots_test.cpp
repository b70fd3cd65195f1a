// Several roots at once, as programs send them: from many threads, beside long serial ones, from tasks of another
// runtime, and while other workers are busy for long. No idle worker leaves a root waiting, and no root waits for ever.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <latch>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/fib.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::runtime;
using jackdaw::test::fib_in_groups;
using jackdaw::test::word;

/// Stays busy until the flag is set: holds its worker and forks nothing.
void hold_until(const std::atomic<bool>& free) {
  while (!free.load(std::memory_order_relaxed)) {
    std::this_thread::yield();
  }
}

std::vector<std::string> stealing_schedulers() {
  std::vector<std::string> names = jackdaw::test::whole_schedulers();
  std::erase(names, "adws:no-steal");
  return names;
}

std::vector<unsigned> numbers_of_workers() {
  return jackdaw::test::sanitized ? std::vector<unsigned>{2, 8} : std::vector<unsigned>{2, 4, 8};
}

class roots : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  runtime rt{{.scheduler = std::get<0>(GetParam()), .workers = std::get<1>(GetParam()), .pin = false}};
};

/// A root that holds a worker until others have been served: a client of its own.
class holder {
 public:
  explicit holder(runtime& rt)
      : thread_([&] {
          rt.run([&] {
            held_.count_down();
            hold_until(free_);
          });
        }) {
    held_.wait();
  }
  ~holder() {
    free_.store(true);
    thread_.join();
  }

 private:
  std::latch held_{1};
  std::atomic<bool> free_{false};
  std::thread thread_;
};

TEST_P(roots, one_runs_beside_a_long_one) {
  const holder one(rt);
  EXPECT_EQ(rt.run([] { return 3; }), 3);
}

TEST_P(roots, as_many_as_there_are_workers_run_at_once) {
  std::vector<std::unique_ptr<holder>> held;
  for (unsigned i = 0; i < rt.workers(); ++i) {
    held.push_back(std::make_unique<holder>(rt));  // returns when it runs
  }
}

TEST_P(roots, leaves_beside_a_long_one_run_on_all_other_workers) {
  const holder one(rt);
  const auto others = static_cast<std::ptrdiff_t>(rt.workers() - 1);
  std::latch all(others);
  rt.run([&] {
    jackdaw::for_index(
        0, static_cast<std::size_t>(others), [&](std::size_t) { all.arrive_and_wait(); }, jackdaw::grain{1});
  });
}

TEST_P(roots, a_root_of_several_parts_beside_a_long_one_gets_all_other_workers) {
  const holder one(rt);
  const auto others = static_cast<std::ptrdiff_t>(rt.workers() - 1);
  std::latch all(others);
  rt.run([&] {
    jackdaw::task_group group(jackdaw::policy::help_first);
    for (std::ptrdiff_t i = 0; i < others; ++i) {
      group.run([&] { all.arrive_and_wait(); }, 1);
    }
    group.wait();
  });
}

TEST_P(roots, a_task_may_wait_for_a_thread_that_sends_one) {
  EXPECT_EQ(rt.run([&] {
    auto sent = std::async(std::launch::async, [&] { return rt.run([] { return 5; }); });
    return sent.get();
  }),
            5);
}

TEST_P(roots, a_part_may_wait_for_a_root_that_another_part_sends_from_a_thread) {
  std::promise<int> told;
  std::thread sender;
  rt.run([&] {
    jackdaw::invoke([&] { EXPECT_EQ(told.get_future().get(), 4); },
                    [&] { sender = std::thread([&] { rt.run([&] { told.set_value(4); }); }); });
  });
  sender.join();
}

TEST_P(roots, serial_tasks_of_one_root_are_shared) {
  // The first part holds its worker until the last one has run.
  std::atomic<bool> last{false};
  rt.run([&] { jackdaw::invoke([&] { hold_until(last); }, [] {}, [&] { last.store(true); }); });
}

TEST_P(roots, a_part_that_forks_when_the_others_have_ended_is_shared) {
  for (int round = 0; round < 20; ++round) {
    const auto all = static_cast<std::ptrdiff_t>(rt.workers());
    std::latch everyone(all);
    rt.run([&] {
      jackdaw::invoke(
          [&] {
            // Long after the other part has ended there is work for all workers.
            for (int i = 0; i < 1000; ++i) {
              jackdaw::invoke([] {}, [] {});
            }
            jackdaw::for_index(
                0, static_cast<std::size_t>(all), [&](std::size_t) { everyone.arrive_and_wait(); }, jackdaw::grain{1});
          },
          [] {});
    });
  }
}

std::uint64_t tree(std::uint64_t seed, unsigned depth) {
  if (depth == 0) {
    return seed % 1000;
  }
  std::minstd_rand random(static_cast<unsigned>(seed ^ (seed >> 32)) + 1);
  random.discard(3);
  const unsigned children = 1 + random() % 4;
  std::uint64_t sums[4] = {};
  const auto grow = [&](unsigned i) { sums[i] = tree(seed * 6364136223846793005u + i + 1, depth - 1); };
  switch (random() % 3) {
    case 0: {
      jackdaw::task_group group(random() % 2 == 0 ? jackdaw::policy::help_first : jackdaw::policy::work_first);
      for (unsigned i = 0; i < children; ++i) {
        group.run([&, i] { grow(i); });
      }
      group.wait();
      break;
    }
    case 1:
      jackdaw::for_index(0, children, [&](std::size_t i) { grow(static_cast<unsigned>(i)); }, jackdaw::grain{1});
      break;
    default:
      for (unsigned i = 0; i < children; i += 2) {
        jackdaw::invoke([&] { grow(i); },
                        [&] {
                          if (i + 1 < children) grow(i + 1);
                        });
      }
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

TEST_P(roots, of_many_clients_are_all_served) {
  constexpr unsigned clients = 8;
  const unsigned rounds = jackdaw::detail::announced ? 6 : 30;
  std::vector<std::uint64_t> expected;
  runtime serial({.scheduler = "random", .workers = 1});
  for (unsigned i = 0; i < clients * rounds; ++i) {
    expected.push_back(serial.run([&] { return tree(i, 5); }));
  }
  std::vector<std::thread> threads;
  std::atomic<unsigned> right{0};
  for (unsigned client = 0; client < clients; ++client) {
    threads.emplace_back([&, client] {
      for (unsigned i = client * rounds; i < (client + 1) * rounds; ++i) {
        right += rt.run([&] { return tree(i, 5); }) == expected[i] ? 1 : 0;
      }
    });
  }
  for (std::thread& each : threads) {
    each.join();
  }
  EXPECT_EQ(right.load(), clients * rounds);
}

class outside_groups : public roots {
 protected:
  /// They are of the default runtime: JACKDAW_* say which.
  void SetUp() override {
    jackdaw::shutdown();
    ASSERT_EQ(setenv("JACKDAW_SCHEDULER", std::get<0>(GetParam()).c_str(), 1), 0);
    ASSERT_EQ(setenv("JACKDAW_WORKERS", std::to_string(std::get<1>(GetParam())).c_str(), 1), 0);
  }
};

// Waiting threads once took the processors from the workers they waited for: each woke at each child's end, and every
// millisecond.
TEST_P(outside_groups, of_hundreds_of_threads_are_served) {
  // ThreadSanitizer has a clock for each pair of threads.
  const unsigned clients = jackdaw::detail::announced ? 30 : 300;
  std::vector<std::thread> threads;
  std::atomic<unsigned> right{0};
  for (unsigned client = 0; client < clients; ++client) {
    threads.emplace_back([&] {
      for (int i = 0; i < 3; ++i) {
        right += fib_in_groups(11) == 89 && runtime::instance().run([] { return fib_in_groups(11); }) == 89 ? 1 : 0;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(right.load(), 3 * clients);
}

/// More than adws has steal ranges, each of which belongs to one group in a search.
TEST(many_roots, may_wait_at_once) {
  const unsigned count = jackdaw::test::sanitized ? 1000 : 300'000;
  jackdaw::shutdown();
  ASSERT_EQ(setenv("JACKDAW_SCHEDULER", "adws", 1), 0);
  ASSERT_EQ(setenv("JACKDAW_WORKERS", "2", 1), 0);
  std::atomic<unsigned> ran{0};
  std::latch all_sent(1);
  jackdaw::task_group group;
  for (unsigned i = 0; i < count; ++i) {
    group.run([&] {
      all_sent.wait();
      ++ran;
    });
  }
  all_sent.count_down();
  group.wait();
  EXPECT_EQ(ran, count);
}

/// Like the elements of a container that is destroyed in parallel.
struct forks_when_destroyed {
  explicit forks_when_destroyed(std::atomic<long>& alive) : alive(alive) { ++alive; }
  forks_when_destroyed(const forks_when_destroyed& other) : forks_when_destroyed(other.alive) {}
  forks_when_destroyed& operator=(const forks_when_destroyed&) = delete;
  ~forks_when_destroyed() {
    std::atomic<int> steps{0};
    jackdaw::for_index(0, 9, [&](int) { ++steps; }, jackdaw::grain{1});
    jackdaw::task_group group;
    for (int i = 0; i < 9; ++i) group.run([&] { ++steps; });
    group.wait();
    alive -= steps == 18 ? 1 : 1000;
  }
  std::atomic<long>& alive;
};

TEST_P(outside_groups, may_run_functions_whose_destructors_fork) {
  std::atomic<long> alive{0};
  for (int i = 0; i < 100; ++i) {
    const forks_when_destroyed held(alive);
    jackdaw::task_group group;
    for (int child = 0; child < 4; ++child) group.run([held] {});
    group.wait();
  }
  EXPECT_EQ(alive, 0);
}

TEST_P(outside_groups, share_the_workers) {
  std::latch both(2);
  jackdaw::task_group group;
  group.run([&] { both.arrive_and_wait(); });
  group.run([&] { both.arrive_and_wait(); });
  group.wait();
}

INSTANTIATE_TEST_SUITE_P(all, outside_groups,
                         testing::Combine(testing::ValuesIn(stealing_schedulers()),
                                          testing::ValuesIn(numbers_of_workers())),
                         [](const auto& each) {
                           return word(std::get<0>(each.param)) + "_" + std::to_string(std::get<1>(each.param));
                         });
INSTANTIATE_TEST_SUITE_P(
    all, roots, testing::Combine(testing::ValuesIn(stealing_schedulers()), testing::ValuesIn(numbers_of_workers())),
    [](const auto& each) { return word(std::get<0>(each.param)) + "_" + std::to_string(std::get<1>(each.param)); });

}  // namespace
