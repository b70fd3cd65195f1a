// When no worker is idle, roots take turns: each makes progress, whatever the others do.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <latch>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "algorithm/adversary.hpp"
#include "jackdaw/jackdaw.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::runtime;

// Set before the first runtime reads it, and unless set otherwise: two memory nodes of two processors each, for
// children with an affinity.
const bool described = setenv("HWLOC_SYNTHETIC", "package:2 numa:1 core:2 pu:1", 0) == 0;

class turns : public testing::TestWithParam<std::string> {};

void compute(std::chrono::microseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
  }
}

/// A client's root of many steps, each of which takes a millisecond until another client has been served: that one must
/// not wait for all of them.
class long_root {
 public:
  static constexpr int most = 3000;

  /// `all` calls the step it is given `most` times, perhaps at once.
  long_root(runtime& rt, const std::function<void(const std::function<void()>&)>& all)
      : thread_([this, &rt, all] {
          rt.run([&] {
            all([this] {
              if (first_.exchange(false)) begun_.count_down();
              if (!served_) {
                compute(std::chrono::milliseconds(1));
                ++steps_;
              }
            });
          });
        }) {
    begun_.wait();
  }
  /// How many steps it had taken by now.
  int served() {
    served_ = true;
    const int taken = steps_;
    thread_.join();
    return taken;
  }

 private:
  std::latch begun_{1};
  std::atomic<bool> first_{true}, served_{false};
  std::atomic<int> steps_{0};
  std::thread thread_;
};

void loop(const std::function<void()>& step) {
  jackdaw::for_index(0, long_root::most, [&](int) { step(); }, jackdaw::grain{1});
}

/// Algorithms whose leaves, by an automatic grain, are of hundreds of steps: elements, or comparisons.
struct long_leaves {
  const char* name;
  std::function<void(const std::function<void()>& step)> all;
};

std::vector<int> shuffled(std::size_t size) {
  std::vector<int> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(1));
  return numbers;
}

std::vector<std::unique_ptr<int>> shuffled_and_owned(std::size_t size) {
  std::vector<std::unique_ptr<int>> numbers;
  for (const int n : shuffled(size)) numbers.push_back(std::make_unique<int>(n));
  return numbers;
}

int value(int n) { return n; }
int value(const std::unique_ptr<int>& n) { return *n; }

template <class T>
void sort(bool stable, std::vector<T> numbers, const std::function<void()>& step) {
  const auto less = [&](const T& x, const T& y) { return step(), value(x) < value(y); };
  if (stable) {
    jackdaw::stable_sort(numbers.begin(), numbers.end(), less);
  } else {
    jackdaw::sort(numbers.begin(), numbers.end(), less);
  }
  if (!std::is_sorted(numbers.begin(), numbers.end(), less)) throw std::logic_error("order");
}

/// By one leaf, in heap sort for the most part.
void sort_worst(std::size_t count, const std::function<void()>& step) {
  jackdaw::testing::adversary enemy(count);
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const auto less = [&](std::size_t x, std::size_t y) { return step(), enemy.less(x, y); };
  jackdaw::sort(numbers.begin(), numbers.end(), less, jackdaw::grain{count});
}

const long_leaves algorithms[] = {
    {"for_index", [](const auto& step) { jackdaw::for_index(0, 16 * 480, [&](int) { step(); }); }},
    {"for_each",
     [](const auto& step) {
       const std::vector<int> in(16 * 480);
       jackdaw::for_each(in.begin(), in.end(), [&](int) { step(); });
     }},
    {"transform_reduce",
     [](const auto& step) {
       const std::vector<int> in(256 * 480, 1);
       const auto one = [&](int x) { return step(), x; };
       if (jackdaw::transform_reduce(in.begin(), in.end(), 0, std::plus<>(), one) != 256 * 480)
         throw std::logic_error("sum");
     }},
    {"inclusive_scan",
     [](const auto& step) {
       std::vector<int> in(256 * 480, 1);
       const auto add = [&](int x, int y) { return step(), x + y; };
       jackdaw::inclusive_scan(in.begin(), in.end(), in.begin(), add);
       if (in.back() != 256 * 480) throw std::logic_error("sum");
     }},
    {"exclusive_scan",
     [](const auto& step) {
       std::vector<int> in(256 * 480, 1);
       const auto add = [&](int x, int y) { return step(), x + y; };
       jackdaw::exclusive_scan(in.begin(), in.end(), in.begin(), 0, add);
       if (in.back() != 256 * 480 - 1) throw std::logic_error("sum");
     }},
    {"copy_if",
     [](const auto& step) {
       const std::vector<int> in = shuffled(256 * 480);
       std::vector<int> out(in.size());
       const auto odd = [&](int x) { return step(), x % 2 != 0; };
       if (jackdaw::copy_if(in.begin(), in.end(), out.begin(), odd) - out.begin() != 128 * 480)
         throw std::logic_error("odd");
     }},
    {"sort", [](const auto& step) { sort(false, shuffled(8192), step); }},
    {"sort of what moves", [](const auto& step) { sort(false, shuffled_and_owned(8192), step); }},
    // Where one leaf ends soon the others are not taken for as short.
    {"sort of what is nearly in order",
     [](const auto& step) {
       std::vector<int> numbers(8192);
       std::iota(numbers.begin(), numbers.end(), 0);
       std::swap(numbers[5], numbers[6]);
       const auto less = [&](int x, int y) { return step(), x < y; };
       jackdaw::sort(numbers.begin(), numbers.end(), less, jackdaw::grain{2048});
     }},
    {"sort of the worst input", [](const auto& step) { sort_worst(2048, step); }},
    {"stable_sort", [](const auto& step) { sort(true, shuffled(8192), step); }},
    {"stable_sort of what moves", [](const auto& step) { sort(true, shuffled_and_owned(8192), step); }},
};

/// Below the upper tier, to which leaves may belong under schedulers that profile them.
TEST(turns_in_leaves, come_between_steps) {
  for (const char* scheduler : {"random", "adws"}) {
    runtime rt({.scheduler = scheduler, .workers = 2, .pin = false});
    for (const long_leaves& algorithm : algorithms) {
      long_root coarse(rt, algorithm.all);
      rt.run([] {});
      EXPECT_LT(coarse.served(), 240) << scheduler << ", " << algorithm.name;
    }
  }
}

/// Loops of two leaves.
const std::function<void(const std::function<void(int)>& leaf)> two_leaves[] = {
    [](const auto& leaf) { jackdaw::for_index(0, 2, leaf, jackdaw::grain{1}); },
    [](const auto& leaf) { jackdaw::for_range(0, 2, [&](int first, int) { leaf(first); }, jackdaw::grain{1}); },
    [](const auto& leaf) {
      const auto length = [](int first, int last) { return last - first; };
      jackdaw::for_index(0, 2, leaf, jackdaw::grain{1}, jackdaw::work_of(length));
    },
};

TEST(turns_in_leaves, come_between_two_leaves) {
  if (!jackdaw::detail::hardware::can_fence()) GTEST_SKIP() << "every fork looks up here, asked or not";
  runtime rt({.scheduler = "random", .workers = 1});
  for (const auto& loop : two_leaves) {
    std::atomic<bool> served{false};
    std::thread client;
    rt.run([&] {
      loop([&](int leaf) {
        if (leaf == 1) {
          EXPECT_TRUE(served);
          return;
        }
        client = std::thread([&] { rt.run([&] { served = true; }); });
        while (!jackdaw::detail::this_lane()->deque.asked()) std::this_thread::yield();
      });
    });
    client.join();
  }
}

TEST(turns_of_new_roots, are_asked_for_at_once) {
  if (!jackdaw::detail::hardware::can_fence()) GTEST_SKIP() << "every fork looks up here, asked or not";
  runtime rt({.scheduler = "random", .workers = 1});
  rt.run([&] {
    jackdaw::invoke([] {}, [] {});  // answers what was asked before
    EXPECT_FALSE(jackdaw::detail::this_lane()->deque.asked());
    const auto root = rt.async([] {});
    EXPECT_TRUE(jackdaw::detail::this_lane()->deque.asked());
  });
}

TEST_P(turns, leaves_of_a_help_first_group_do_not_keep_a_root_waiting) {
  for (const unsigned workers : {1u, 2u}) {
    runtime rt({.scheduler = GetParam(), .workers = workers, .pin = false});
    long_root leaves(rt, [](const auto& step) {
      jackdaw::task_group group(jackdaw::policy::help_first);
      for (int i = 0; i < long_root::most; ++i) group.run(step);
      group.wait();
    });
    rt.run([] {});
    EXPECT_LT(leaves.served(), long_root::most / 4) << workers;
  }
}

TEST_P(turns, children_near_some_memory_do_not_keep_a_root_waiting) {
  runtime rt({.scheduler = GetParam(), .workers = 2});
  const std::size_t nodes = rt.where().nodes.size();
  long_root near(rt, [nodes](const auto& step) {
    jackdaw::task_group group;
    for (unsigned i = 0; i < long_root::most; ++i) group.run(jackdaw::on(i % nodes), step);
    group.wait();
  });
  rt.run([] {});
  EXPECT_LT(near.served(), long_root::most / 4);
}

TEST_P(turns, a_child_near_some_memory_does_not_wait_for_the_end_of_a_long_root) {
  runtime rt({.scheduler = GetParam(), .workers = 2});
  long_root other(rt, loop);
  for (unsigned node = 0; node < rt.where().nodes.size(); ++node) {
    rt.run([&] {
      jackdaw::task_group group;
      group.run(jackdaw::on(node), [] {});
      group.wait();
    });
  }
  EXPECT_LT(other.served(), long_root::most / 4);
}

TEST_P(turns, tasks_of_another_runtime_have_them_like_threads) {
  runtime rt({.scheduler = GetParam(), .workers = 1, .pin = false});
  runtime clients({.scheduler = "random", .workers = 3, .pin = false});
  std::atomic<bool> served{false};
  std::atomic<int> steps{0};
  std::latch both_begun(2);
  const auto long_client = [&] {
    rt.run([&] {
      both_begun.count_down();
      loop([&] {
        if (!served) {
          compute(std::chrono::milliseconds(1));
          ++steps;
        }
      });
    });
  };
  clients.run([&] {
    jackdaw::task_group group(jackdaw::policy::help_first);
    group.run(long_client);
    group.run(long_client);
    group.run([&] {
      both_begun.wait();
      for (int i = 0; i < 5; ++i) {
        rt.run([] { jackdaw::invoke([] {}, [] {}); });
      }
      served = true;
    });
    group.wait();
  });
  EXPECT_LT(steps.load(), long_root::most / 4);
}

/// A root that made way for a task in the mailbox lies in its worker's deque below what the other root does there.
TEST(turns_of_preempted_roots, come_while_the_other_root_keeps_all_workers_busy) {
  runtime rt({.scheduler = "adws:no-steal", .workers = 2, .pin = false});
  std::latch away(1), busy(1);
  std::atomic<bool> resumed{false}, served{false};
  std::atomic<int> steps{0};
  std::thread search([&] {
    rt.run([&] {
      jackdaw::task_group group(2.0);
      group.run(
          [&] {
            away.count_down();
            busy.wait();
          },
          1);
      group.run([] {}, 1);
      group.wait();  // and resumes on worker 0, which makes way
      resumed = true;
      loop([&] {
        if (!served) {
          compute(std::chrono::milliseconds(1));
          ++steps;
        }
      });
    });
  });
  away.wait();
  rt.run([&] {
    busy.count_down();
    while (!resumed) jackdaw::invoke([] {}, [] {});
  });
  served = true;
  search.join();
  EXPECT_LT(steps.load(), long_root::most / 4);
}

TEST_P(turns, a_short_root_does_not_wait_for_the_end_of_a_long_one) {
  runtime rt({.scheduler = GetParam(), .workers = 2, .pin = false});
  long_root other(rt, loop);
  rt.run([&] { jackdaw::for_index(0, 64, [](std::size_t) {}); });
  EXPECT_LT(other.served(), long_root::most / 4);
}

/// The list of clients can no longer be read, and one root waits for another one that the only worker has not begun.
TEST_P(turns, come_while_the_runtime_ends) {
  for (const bool groups : {false, true}) {
    std::optional<runtime> own;
    if (!groups) own.emplace(jackdaw::options{.scheduler = GetParam(), .workers = 1, .pin = false});
    const auto root = [&](const auto& f) {
      if (own) return own->run(f);
      jackdaw::task_group group;  // of the default runtime
      group.run(f);
      group.wait();
    };
    const auto some = [] {
      jackdaw::invoke([] { compute(std::chrono::microseconds(50)); }, [] { compute(std::chrono::microseconds(50)); });
    };
    std::atomic<bool> over{false};
    std::atomic<int> begun{0};
    std::vector<std::thread> clients;
    // As many as keep every worker busy.
    const unsigned workers = groups ? runtime::instance().workers() : 1;
    for (unsigned i = 0; i < workers; ++i) {
      clients.emplace_back([&] {
        root([&] {
          ++begun;
          while (!over) some();
        });
      });
    }
    while (begun < static_cast<int>(workers)) std::this_thread::yield();
    clients.emplace_back([&] {
      root([&] {
        ++begun;
        for (int i = 0; i < 300; ++i) some();
        over = true;
      });
    });
    while (begun < static_cast<int>(workers) + 1) std::this_thread::yield();
    if (own) {
      own.reset();
    } else {
      jackdaw::shutdown();
    }
    for (std::thread& each : clients) each.join();
    EXPECT_TRUE(over);
  }
}

TEST_P(turns, runtimes_may_wait_for_one_another) {
  runtime a({.scheduler = GetParam(), .workers = 1});
  runtime b({.scheduler = GetParam(), .workers = 1});
  EXPECT_EQ(a.run([&] { return b.run([&] { return a.run([&] { return b.run([] { return 7; }); }); }); }), 7);
  EXPECT_THROW(a.run([&] { b.run([&] { a.run([] { throw std::runtime_error("inner"); }); }); }), std::runtime_error);
}

TEST_P(turns, a_root_sent_by_another_runtimes_task_gets_one) {
  runtime rt({.scheduler = GetParam(), .workers = 1});
  runtime other({.scheduler = "random", .workers = 1});
  std::atomic<bool> free{false};
  std::latch begun(1);
  std::thread client([&] {
    rt.run([&] {
      begun.count_down();
      while (!free.load()) jackdaw::invoke([] {}, [] {});
    });
  });
  begun.wait();
  other.run([&] { rt.run([&] { free.store(true); }); });
  client.join();
}

TEST_P(turns, an_engine_may_end_when_its_task_has_waited_for_another) {
  runtime lasting({.scheduler = GetParam(), .workers = 2});
  for (int i = 0; i < 50; ++i) {
    runtime brief({.scheduler = GetParam(), .workers = 1});
    brief.run([&] { lasting.run([] {}); });
  }
}

TEST_P(turns, two_long_clients_of_one_worker_both_get_on) {
  runtime rt({.scheduler = GetParam(), .workers = 1});
  // Each works until the other one has made progress too.
  std::atomic<unsigned> progress[2] = {};
  const auto work = [&](unsigned self) {
    rt.run([&] {
      jackdaw::for_index(
          0, 100000,
          [&](std::size_t) {
            if (progress[0] >= 200 && progress[1] >= 200) return;
            compute(std::chrono::microseconds(50));
            ++progress[self];
          },
          jackdaw::grain{1});
    });
  };
  std::thread other([&] { work(1); });
  work(0);
  other.join();
  EXPECT_GE(progress[0], 200u);
  EXPECT_GE(progress[1], 200u);
  EXPECT_GT(rt.stats().turns, 0u);
}

INSTANTIATE_TEST_SUITE_P(all, turns, testing::ValuesIn(jackdaw::test::whole_schedulers()),
                         [](const auto& each) { return jackdaw::test::word(each.param); });

}  // namespace
