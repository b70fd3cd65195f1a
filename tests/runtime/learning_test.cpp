// hints=learned and hints=both on real threads: every task runs once, whatever the program's shape and whoever runs
// beside it. Made for ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"

namespace jackdaw::test {
namespace learning {
namespace {

void compute(unsigned us) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// Divides leaves by groups without hints, or by invokes with hints that are wrong.
void divide(unsigned begin, unsigned end, bool hinted, std::atomic<unsigned>& ended) {
  if (end - begin == 1) {
    compute(begin % 16 == 0 ? 40 : 5);
    ended.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const unsigned middle = begin + (end - begin + 2) / 3;
  const auto left = [&, begin, middle] { divide(begin, middle, hinted, ended); };
  const auto right = [&, middle, end] { divide(middle, end, hinted, ended); };
  if (hinted) return invoke(work(5, left), work(1, right));
  task_group group;
  group.run(left);
  group.run(right);
  group.wait();
}

class learns : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(hints, learns,
                         testing::Values("adws:hints=learned", "adws:hints=both", "adws:no-steal:hints=both"));

TEST_P(learns, from_iterations_of_one_shape_and_of_others) {
  runtime rt({.scheduler = GetParam(), .workers = 4});
  rt.run([] {
    std::mt19937 random(3);
    for (unsigned iteration = 0; iteration < 30; ++iteration) {
      std::atomic<unsigned> ended{0};
      const unsigned leaves = iteration < 15 ? 200 : 1 + random() % 200;
      divide(0, leaves, iteration % 3 == 0, ended);
      EXPECT_EQ(ended.load(), leaves);
    }
  });
}

TEST_P(learns, while_several_threads_send_roots) {
  runtime rt({.scheduler = GetParam(), .workers = 4});
  std::vector<std::thread> senders;
  for (unsigned sender = 0; sender < 3; ++sender) {
    senders.emplace_back([&rt, sender] {
      for (unsigned times = 0; times < 8; ++times) {
        rt.run([sender] {
          for (unsigned iteration = 0; iteration < 3; ++iteration) {
            std::atomic<unsigned> ended{0};
            divide(0, 50 + 10 * sender, sender == 1, ended);
            EXPECT_EQ(ended.load(), 50 + 10 * sender);
          }
        });
      }
    });
  }
  for (std::thread& each : senders) each.join();
}

TEST_P(learns, from_a_loop_with_thousands_of_children_of_which_one_throws) {
  runtime rt({.scheduler = GetParam(), .workers = 4});
  rt.run([] {
    for (unsigned iteration = 0; iteration < 4; ++iteration) {
      std::atomic<unsigned> ended{0};
      task_group group;
      for (unsigned child = 0; child < 5000; ++child) {
        group.run([&ended, child, iteration] {
          ended.fetch_add(1, std::memory_order_relaxed);
          if (child == 2000 && iteration % 2 == 1) throw std::runtime_error("one of them");
        });
      }
      if (iteration % 2 == 1) {
        EXPECT_THROW(group.wait(), std::runtime_error);
        EXPECT_LE(ended.load(), 5000U);  // those that had not started are skipped
      } else {
        group.wait();
        EXPECT_EQ(ended.load(), 5000U);
      }
    }
  });
}

}  // namespace
}  // namespace learning
}  // namespace jackdaw::test
