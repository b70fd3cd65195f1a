// A loop outside of tasks while all workers are busy: the calling thread begins it itself.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <latch>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
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

}  // namespace
