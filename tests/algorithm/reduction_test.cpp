// Reductions outside of tasks begin with whole leaves, in order, as long as a theft would cost more. What is combined
// with what does not depend on how far that goes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/spin.hpp"

namespace {

using namespace std::chrono_literals;

class reduction_outside : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { jackdaw::configure({.scheduler = GetParam(), .workers = 3, .pin = false}); }
  void TearDown() override { jackdaw::shutdown(); }
};
INSTANTIATE_TEST_SUITE_P(under, reduction_outside, testing::Values("random", "adws", "auto", "constrained"),
                         [](const auto& each) { return each.param; });

std::vector<double> numbers(std::size_t count) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = 1.0 / static_cast<double>(3 + i * i % 101) - 0.1;
  return x;
}

/// Rounding shows each other grouping.
TEST_P(reduction_outside, gives_the_same_bits_as_in_a_task) {
  for (const std::size_t count : {2u, 3u, 257u, 1000u, 4096u, 5003u}) {
    const std::vector<double> x = numbers(count);
    const double in_task = jackdaw::runtime::instance().run([&] { return jackdaw::reduce(x.begin(), x.end(), 0.0); });
    for (int round = 0; round < 50; ++round) {
      ASSERT_EQ(jackdaw::reduce(x.begin(), x.end(), 0.0), in_task) << count << " numbers, round " << round;
    }
  }
}

/// The first calls take little, so each later one is expected to. Then some elements take long, at each place in turn.
TEST_P(reduction_outside, gives_the_same_bits_wherever_it_stops) {
  constexpr std::size_t count = 900;
  const std::vector<double> x = numbers(count);
  std::size_t slow = count;
  const auto sum = [&] {
    return jackdaw::transform_reduce(x.begin(), x.end(), 0.0, std::plus<>(), [&](const double& each) {
      if (&each - x.data() == static_cast<std::ptrdiff_t>(slow)) jackdaw::test::spin(60us);
      return each;
    });
  };
  const double expected = jackdaw::runtime::instance().run(sum);
  for (std::size_t at = 0; at < count; at += 7) {
    slow = count;
    for (int i = 0; i < 3; ++i) ASSERT_EQ(sum(), expected);
    slow = at;
    ASSERT_EQ(sum(), expected) << "element " << at << " took long";
  }
}

TEST_P(reduction_outside, combines_in_order) {
  for (int round = 0; round < 30; ++round) {
    for (const std::size_t count : {5u, 64u, 300u, 777u}) {
      std::vector<std::size_t> each(count);
      std::iota(each.begin(), each.end(), 0u);
      std::string serial = "init";
      for (const std::size_t i : each) serial += std::to_string(i);
      const std::string joined = jackdaw::transform_reduce(
          each.begin(), each.end(), std::string("init"), std::plus<>(),
          [&](std::size_t i) {
            if (i == count / 2 && round % 3 == 2) jackdaw::test::spin(40us);
            return std::to_string(i);
          },
          jackdaw::grain{1 + count / 50});
      ASSERT_EQ(joined, serial);
    }
  }
}

TEST_P(reduction_outside, passes_on_what_is_thrown) {
  const std::vector<double> x = numbers(2000);
  for (std::size_t at = 0; at < x.size(); at += 37) {
    const auto sum = [&](bool throws) {
      return jackdaw::transform_reduce(x.begin(), x.end(), 0.0, std::plus<>(), [&, throws](const double& each) {
        if (throws && &each == &x[at]) throw std::runtime_error("element");
        return each;
      });
    };
    for (int i = 0; i < 3; ++i) EXPECT_NO_THROW(sum(false));
    EXPECT_THROW(sum(true), std::runtime_error);
  }
}

/// In the head start, too, elements may fork, wait and reduce.
TEST_P(reduction_outside, has_elements_that_reduce) {
  const std::vector<double> x = numbers(300);
  const double inner = jackdaw::reduce(x.begin(), x.end(), 0.0);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> waited{0};
    const std::size_t equal = static_cast<std::size_t>(jackdaw::count_if(x, [&](double) {
      jackdaw::task_group group;
      group.run([&] { ++waited; });
      group.wait();
      return jackdaw::reduce(x.begin(), x.end(), 0.0) == inner;
    }));
    ASSERT_EQ(equal, x.size());
    ASSERT_EQ(waited, 300);
  }
}

TEST_P(reduction_outside, is_right_from_several_threads) {
  const std::vector<double> x = numbers(4096);
  const double expected = jackdaw::reduce(x.begin(), x.end(), 0.0);
  const auto least = std::min_element(x.begin(), x.end());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        EXPECT_EQ(jackdaw::reduce(x.begin(), x.end(), 0.0), expected);
        EXPECT_EQ(jackdaw::min_element(x.begin(), x.end()), least);
      }
    });
  }
  for (std::thread& each : threads) each.join();
}

}  // namespace
