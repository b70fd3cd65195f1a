// A loop outside of tasks: the calling thread begins it, for 0.1 ms if all workers are busy, otherwise as long as a
// theft would cost more.
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstddef>
#include <latch>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"

namespace {

using namespace std::chrono_literals;

constexpr int workers = 2;

/// The default runtime, whose workers are in a leaf each until open(), or for half a second: on a busy computer a loop
/// may use up its head start with one leaf, and then has to wait for them.
class busy_workers {
 public:
  busy_workers() {
    for (int i = 0; i < workers; ++i) {
      busy_.push_back(jackdaw::runtime::instance().async([this] {
        begun_.count_down();
        wait_.wait();
      }));
    }
    begun_.wait();
  }
  ~busy_workers() {
    open();
    for (const jackdaw::future<void>& each : busy_) each.wait();
  }
  void open() {
    if (!opened_.exchange(true)) wait_.count_down();
  }

 private:
  std::latch begun_{workers}, wait_{1};
  std::atomic<bool> opened_{false};
  std::vector<jackdaw::future<void>> busy_;
  std::jthread last_{[this](const std::stop_token& stop) {
    for (int i = 0; i < 100 && !stop.stop_requested(); ++i) std::this_thread::sleep_for(5ms);
    open();
  }};
};

class head_start : public testing::Test {
 protected:
  static void SetUpTestSuite() { jackdaw::configure({.scheduler = "random", .workers = workers, .pin = false}); }
  static void TearDownTestSuite() { jackdaw::shutdown(); }
};

void work_for(std::chrono::microseconds how_long) {
  for (const auto until = std::chrono::steady_clock::now() + how_long; std::chrono::steady_clock::now() < until;) {
  }
}

/// The workers wait for what the loop does: it would never begin on one of them.
TEST_F(head_start, begins_on_the_calling_thread) {
  for (int round = 0; round < 20; ++round) {
    busy_workers all;
    std::vector<std::atomic<int>> visited(1000);
    const auto caller = std::this_thread::get_id();
    std::optional<std::thread::id> first;
    bool had_a_worker = true;
    jackdaw::for_index(
        0, 1000,
        [&](int i) {
          if (i == 0) {
            first = std::this_thread::get_id();
            had_a_worker = jackdaw::this_worker().has_value();
            all.open();
          }
          ++visited[static_cast<std::size_t>(i)];
        },
        jackdaw::grain{20});
    EXPECT_EQ(first, caller);
    EXPECT_FALSE(had_a_worker);
    for (const auto& each : visited) ASSERT_EQ(each.load(), 1);
  }
}

/// A long one becomes a root, which the workers run once they are free.
TEST_F(head_start, is_limited_in_time) {
  busy_workers all;
  std::atomic<int> by_caller{0}, by_workers{0};
  jackdaw::for_index(
      0, 200,
      [&](int i) {
        if (i == 0) all.open();
        work_for(60us);
        ++(jackdaw::this_worker() ? by_workers : by_caller);
      },
      jackdaw::grain{16});
  EXPECT_EQ(by_caller + by_workers, 200);
  EXPECT_GE(by_caller, 1);
  EXPECT_GE(by_workers, 190);
}

TEST_F(head_start, passes_on_what_is_thrown_and_stops) {
  busy_workers all;
  EXPECT_THROW(jackdaw::for_index(
                   0, 100,
                   [](int i) {
                     if (i == 3) throw std::runtime_error("a leaf");
                   },
                   jackdaw::grain{16}),
               std::runtime_error);
  std::stop_source source;
  int calls = 0;
  EXPECT_THROW(jackdaw::for_index(
                   0, 100,
                   [&](int) {
                     ++calls;
                     source.request_stop();
                   },
                   jackdaw::grain{16}, source.get_token()),
               jackdaw::cancelled);
  EXPECT_EQ(calls, 1);
}

/// Loops in loops: each begins here as long as the workers are busy.
TEST_F(head_start, of_loops_within_loops) {
  busy_workers all;
  std::atomic<int> sum{0};
  jackdaw::for_index(
      0, 40,
      [&](int i) {
        jackdaw::for_index(0, 40, [&](int j) { sum += i * j; }, jackdaw::grain{16});
        if (i == 0) all.open();
      },
      jackdaw::grain{16});
  EXPECT_EQ(sum, 780 * 780);
}

/// Few elements may take long, and workers that become free would wait for the first one.
TEST_F(head_start, is_not_for_small_leaves) {
  busy_workers all;
  std::jthread later([&] {
    std::this_thread::sleep_for(1ms);
    all.open();
  });
  std::atomic<int> by_caller{0};
  jackdaw::for_index(
      0, 40,
      [&](int) {
        if (!jackdaw::this_worker()) ++by_caller;
      },
      jackdaw::grain{15});
  EXPECT_EQ(by_caller, 0);
}

using block = std::pair<int, int>;

/// The blocks of a loop over 1000 elements of which that one takes long, in order.
std::vector<block> blocks_of(int grain, int long_one, std::chrono::microseconds how_long) {
  std::mutex hold;
  std::vector<block> found;
  jackdaw::for_range(
      0, 1000,
      [&](int first, int last) {
        if (first <= long_one && long_one < last) work_for(how_long);
        const std::lock_guard held(hold);
        found.emplace_back(first, last);
      },
      jackdaw::grain{static_cast<std::size_t>(grain)});
  std::sort(found.begin(), found.end());
  return found;
}

/// What is left after the first steps is cut as the whole loop is in a task, wherever the steps ended: neither who runs
/// what nor a sum of blocks may depend on the time.
TEST_F(head_start, leaves_the_rest_in_its_place) {
  std::vector<block> whole;
  jackdaw::runtime::instance().run([&] { whole = blocks_of(20, 0, 0us); });
  for (const int long_one : {0, 1, 2, 30, 62, 63, 200, 499, 500, 501, 900, 999}) {
    // Wrong guesses make the next calls go without steps.
    for (int i = 0; i < 300 && blocks_of(20, 0, 0us).front() != block(0, 1); ++i) {
    }
    const std::vector<block> found = blocks_of(20, long_one, 2000us);
    int next = 0;
    for (const auto& [first, last] : found) {
      EXPECT_EQ(first, next);
      next = last;
    }
    EXPECT_EQ(next, 1000);
    // The steps go on until the long element, or until the system holds the thread up. Then whole blocks follow, but
    // for the first.
    const auto is_whole = [&](const block& each) { return std::find(whole.begin(), whole.end(), each) != whole.end(); };
    const auto after =
        std::find_if(found.begin(), found.end(), [&](const block& each) { return each.first > long_one; });
    EXPECT_TRUE(std::all_of(after == found.end() ? after : after + 1, found.end(), is_whole)) << long_one;
  }
}

/// Elements that take long are shared at once, as soon as one call has shown it: the first call of a loop has no steps.
TEST_F(head_start, of_a_long_loop_is_none) {
  int times = 0;
  for (int round = 0; round < 10; ++round) {
    std::mutex hold;
    std::vector<block> found;
    jackdaw::for_range(
        0, 64,
        [&](int first, int last) {
          work_for(50us);
          const std::lock_guard held(hold);
          found.emplace_back(first, last);
        },
        jackdaw::grain{16});
    std::sort(found.begin(), found.end());
    times += found == std::vector<block>{{0, 16}, {16, 32}, {32, 48}, {48, 64}};
  }
  EXPECT_GE(times, 5);  // the system may hold a worker up that still counts as busy
}

/// A long first element and a long last one run at the same time, although all others are short and the loop was, too.
TEST_F(head_start, is_given_up_after_wrong_guesses) {
  const auto loop = [](bool has_long_ones) {
    std::atomic<int> late{0};
    std::atomic<bool> last_began{false};
    jackdaw::for_index(0, 1000, [&, has_long_ones](int i) {
      if (!has_long_ones) return;
      if (i == 999) last_began = true;
      if (i != 0) return;
      for (const auto until = std::chrono::steady_clock::now() + 50ms;
           !last_began && std::chrono::steady_clock::now() < until;) {
      }
      late += !last_began;
    });
    return late.load();
  };
  for (int i = 0; i < 100; ++i) loop(false);
  int late = 0;
  for (int i = 0; i < 100; ++i) late += loop(true);
  EXPECT_LE(late, 50);  // one, and where the system holds the other worker up
}

/// A short loop needs nobody's help. The system may hold the thread up, so not each of them.
TEST_F(head_start, is_all_of_a_short_loop) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "what a sanitizer watches takes as long as a theft";
#endif
  int alone = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<int> numbers(256, 1);
    const auto caller = std::this_thread::get_id();
    std::atomic<int> elsewhere{0};
    jackdaw::for_range(0, 256, [&](int first, int last) {
      for (int i = first; i < last; ++i) ++numbers[static_cast<std::size_t>(i)];
      if (std::this_thread::get_id() != caller) ++elsewhere;
    });
    alone += elsewhere == 0;
    for (const int each : numbers) ASSERT_EQ(each, 2);
  }
  EXPECT_GE(alone, 100);
}

/// It is the loop's task: this_worker() is there, and what the elements fork is theirs.
TEST_F(head_start, is_in_a_task) {
  int outside_of_tasks = 0;
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> outside{0}, sum{0};
    jackdaw::for_index(
        0, 200,
        [&](int i) {
          if (!jackdaw::this_worker()) ++outside;
          jackdaw::invoke([&] { sum += i; }, [&] { sum += i; });
        },
        jackdaw::grain{16});
    EXPECT_EQ(sum, 2 * 199 * 100);
    outside_of_tasks += outside != 0;
  }
  EXPECT_LE(outside_of_tasks, 50);  // as above
}

/// Every element runs in the caller's rounding mode, whoever runs it and wherever the steps end.
TEST_F(head_start, keeps_the_rounding_mode) {
  jackdaw::runtime::instance().run([] {});
  const int before = std::fegetround();
  for (int round = 0; round < 300; ++round) {
    std::atomic<int> wrong{0};
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    jackdaw::for_index(
        0, 256,
        [&](int i) {
          if (std::fegetround() != FE_UPWARD) ++wrong;
          if (i % 64 == round % 64) work_for(20us);
        },
        jackdaw::grain{16});
    jackdaw::for_blocks(jackdaw::block<2>{.last = {64, 64}}, {4, 4}, [&](const jackdaw::block<2>& part) {
      wrong += std::fegetround() != FE_UPWARD;
      if (part.first[0] == part.first[1]) work_for(20us);
    });
    std::fesetround(before);
    ASSERT_EQ(wrong, 0);
  }
}

/// pthread_cancel() waits for the end of the loop, also in the steps beside busy workers.
TEST_F(head_start, is_not_cut_by_the_end_of_a_thread) {
  for (int round = 0; round < 20; ++round) {
    busy_workers all;
    std::atomic<int> calls{0};
    std::atomic<bool> began{false};
    std::thread client([&] {
      jackdaw::for_index(
          0, 100,
          [&](int) {
            began = true;
            std::this_thread::sleep_for(10us);
            ++calls;
          },
          jackdaw::grain{16});
      pthread_testcancel();
    });
    while (!began) std::this_thread::yield();
    pthread_cancel(client.native_handle());
    all.open();
    client.join();
    EXPECT_EQ(calls, 100);
  }
}

/// What is counted or watched runs on workers.
TEST_F(head_start, of_counted_accesses_is_none) {
  jackdaw::shutdown();
  jackdaw::configure({.scheduler = "random", .workers = workers, .pin = false, .count_accesses = true});
  {
    busy_workers all;
    std::jthread later([&] {
      std::this_thread::sleep_for(1ms);
      all.open();
    });
    std::atomic<int> outside{0};
    jackdaw::for_index(0, 1000, [&](int) { outside += !jackdaw::this_worker(); }, jackdaw::grain{20});
    EXPECT_EQ(outside, 0);
  }
  jackdaw::shutdown();
  SetUpTestSuite();
}

TEST_F(head_start, of_a_loop_in_a_task_is_none) {
  jackdaw::runtime::instance().run([] {
    const std::vector<block> found = blocks_of(20, 0, 0us);
    EXPECT_EQ(found.front(), block(0, 15));
  });
}

}  // namespace
