// Roots that nobody waits for at once: their futures, continuations, and what becomes of them when nobody asks.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/sanitized.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::future;
using jackdaw::runtime;
using namespace std::chrono_literals;

class async : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  runtime rt{{.scheduler = std::get<0>(GetParam()), .workers = std::get<1>(GetParam()), .pin = false}};
};
INSTANTIATE_TEST_SUITE_P(
    on, async, testing::Combine(testing::ValuesIn(jackdaw::test::diverse_schedulers()), testing::Values(1u, 3u)),
    [](const auto& each) {
      return jackdaw::test::word(std::get<0>(each.param)) + "_on_" + std::to_string(std::get<1>(each.param));
    });

TEST_P(async, values_of_every_kind) {
  int target = 3;
  future<int> number = rt.async([] { return 7; });
  future<std::unique_ptr<int>> moved = rt.async([] { return std::make_unique<int>(8); });
  future<int&> reference = rt.async([&]() -> int& { return target; });
  future<void> nothing = rt.async([owned = std::make_unique<int>(5)] { EXPECT_EQ(*owned, 5); });
  EXPECT_EQ(number.get(), 7);
  EXPECT_EQ(*moved.get(), 8);
  EXPECT_EQ(&reference.get(), &target);
  nothing.get();
  EXPECT_FALSE(number.valid());
}

TEST_P(async, an_exception_comes_out_of_get) {
  future<int> thrown = rt.async([]() -> int { throw std::out_of_range("asynchronous"); });
  thrown.wait();
  EXPECT_TRUE(thrown.ready());
  EXPECT_THROW(thrown.get(), std::out_of_range);
}

TEST_P(async, many_that_fork) {
  std::vector<future<std::uint64_t>> all;
  for (std::uint64_t i = 0; i < 200; ++i) {
    all.push_back(rt.async([i] {
      std::atomic<std::uint64_t> sum{0};
      jackdaw::for_index(std::uint64_t{0}, i, [&](std::uint64_t at) { sum += at; }, jackdaw::grain{8});
      return sum.load();
    }));
  }
  for (std::uint64_t i = 0; i < 200; ++i) EXPECT_EQ(all[i].get(), i * (i - (i > 0)) / 2);
}

TEST_P(async, a_task_waits_without_holding_its_worker) {
  const int sum = rt.run([&] {
    std::vector<future<int>> inner;
    for (int i = 0; i < 50; ++i) inner.push_back(rt.async([&, i] { return rt.async([i] { return i; }).get(); }));
    int sum = 0;
    for (auto& each : inner) sum += each.get();
    return sum;
  });
  EXPECT_EQ(sum, 50 * 49 / 2);
}

TEST_P(async, a_task_waits_for_another_runtime) {
  runtime second{{.scheduler = "random", .workers = 2, .pin = false}};
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(rt.run([&] { return second.async([&] { return rt.async([i] { return i; }).get() + 1; }).get(); }), i + 1);
  }
}

TEST_P(async, a_future_may_be_dropped) {
  std::atomic<int> ran{0};
  for (int i = 0; i < 100; ++i) static_cast<void>(rt.async([&] { ++ran; }));
  for (int i = 0; i < 100; ++i) {
    static_cast<void>(rt.async([&] {
      ++ran;
      throw std::runtime_error("nobody asks");
    }));
  }
  rt.async([] {}).get();
  while (ran < 200) std::this_thread::sleep_for(1ms);
}

TEST_P(async, continuations) {
  std::vector<std::string> log;
  future<std::size_t> last = rt.async([] { return std::string("a"); })
                                 .then([](std::string s) { return std::make_unique<std::string>(s + "b"); })
                                 .then([&log](std::unique_ptr<std::string> s) { log.push_back(*s + "c"); })
                                 .then([&log] { return log.size(); });
  EXPECT_EQ(last.get(), 1u);
  EXPECT_EQ(log.at(0), "abc");
  future<int> ended = rt.async([] { return 1; });
  ended.wait();
  EXPECT_EQ(ended.then([](int i) { return i + 1; }).get(), 2);
  bool called = false;
  auto failed = rt.async([]() -> int { throw std::logic_error("first"); }).then([&](int) { called = true; });
  EXPECT_THROW(failed.get(), std::logic_error);
  EXPECT_FALSE(called);
}

TEST_P(async, a_long_chain_of_continuations) {
  constexpr int length = 3000;
  future<int> chain = rt.async([] { return 0; });
  for (int i = 0; i < length; ++i) chain = std::move(chain).then([](int at) { return at + 1; });
  EXPECT_EQ(chain.get(), length);
}

TEST_P(async, continuations_at_the_moment_of_the_end) {
  for (int i = 0; i < 300; ++i) {
    future<int> first = rt.async([] { return 1; });
    for (int spin = 0; spin < i % 50 * 20; ++spin) asm volatile("" ::: "memory");
    EXPECT_EQ(first.then([](int at) { return at + 1; }).get(), 2);
  }
}

/// All workers are busy, and no client waits that would ask for a turn.
TEST_P(async, has_its_turn_beside_a_long_root) {
  std::atomic<bool> stop{false}, ran{false};
  future<void> longs = rt.async([&] {
    while (!stop) jackdaw::for_index(0, 1000, [](int) { std::this_thread::sleep_for(10us); }, jackdaw::grain{10});
  });
  std::this_thread::sleep_for(2ms);
  static_cast<void>(rt.async([&] { ran = true; }));
  for (int i = 0; i < 10'000 && !ran; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(ran) << "after 10 s";
  stop = true;
  longs.get();
}

TEST_P(async, a_captured_object_whose_destructor_forks) {
  struct forks {
    std::atomic<int>* to;
    explicit forks(std::atomic<int>& to) : to(&to) {}
    forks(forks&& other) noexcept : to(std::exchange(other.to, nullptr)) {}
    ~forks() {
      if (to != nullptr) jackdaw::for_index(0, 10, [this](int) { ++*to; }, jackdaw::grain{1});
    }
  };
  std::atomic<int> sum{0};
  rt.async([held = forks(sum)] { return held.to != nullptr; }).get();
  EXPECT_EQ(sum, 10);
}

/// What a task returns or throws, and whose destructor forks.
struct forks_at_its_end {
  explicit forks_at_its_end(std::atomic<int>& to) : to(&to) {}
  forks_at_its_end(forks_at_its_end&& other) noexcept : to(std::exchange(other.to, nullptr)) {}
  forks_at_its_end(const forks_at_its_end& other) = default;
  ~forks_at_its_end() {
    if (to == nullptr) return;
    jackdaw::for_index(0, 20, [this](int) { ++*to; }, jackdaw::grain{1});
    jackdaw::task_group group;
    for (int i = 0; i < 5; ++i) group.run([this] { ++*to; });
    group.wait();
    jackdaw::async([this] { ++*to; }).get();
  }
  std::atomic<int>* to;
};

TEST_P(async, a_result_whose_destructor_forks) {
  std::atomic<int> sum{0};
  constexpr int each = 26, rounds = 20;
  for (int i = 0; i < rounds; ++i) {
    static_cast<void>(rt.async([&] { return forks_at_its_end(sum); }));
    static_cast<void>(rt.async([&] { throw std::make_shared<forks_at_its_end>(sum); }));
    static_cast<void>(rt.async([&] { return forks_at_its_end(sum); }).then([](forks_at_its_end one) { return one; }));
    auto waited = rt.async([&] { return forks_at_its_end(sum); });
    waited.wait();
    rt.run([one = rt.async([&] { return std::make_unique<forks_at_its_end>(sum); })]() mutable { one.get().reset(); });
  }
  for (int i = 0; i < 20'000 && sum < 5 * rounds * each; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(sum, 5 * rounds * each);
}

TEST_P(async, a_continuation_that_cannot_start_leaves_the_value) {
  future<std::string> left;
  {
    runtime brief{{.scheduler = "random", .workers = 1, .pin = false}};
    left = brief.async([] { return std::string(50, 'v'); });
  }
  EXPECT_THROW(static_cast<void>(left.then([](const std::string&) {})), jackdaw::error);
  struct not_copied {
    not_copied() = default;
    not_copied(const not_copied&) { throw std::runtime_error("not copied"); }
    void operator()(const std::string&) const {}
  };
  const not_copied function;
  EXPECT_THROW(static_cast<void>(left.then(function)), std::runtime_error);
  ASSERT_TRUE(left.valid());
  EXPECT_EQ(left.get().size(), 50u);
}

TEST_P(async, a_child_process_cannot_wait_for_its_parents_task) {
  if (jackdaw::test::sanitized) GTEST_SKIP() << "sanitizers do not follow a fork() beside threads";
  std::atomic<bool> go{false};
  future<int> pending = rt.async([&] {
    while (!go) std::this_thread::yield();
    return 1;
  });
  const pid_t child = fork();
  if (child == 0) {
    int errors = 0;
    try {
      static_cast<void>(pending.get());
    } catch (const jackdaw::error&) {
      ++errors;
    }
    try {
      static_cast<void>(pending.then([](int) {}));
    } catch (const jackdaw::error&) {
      ++errors;
    }
    _exit(errors);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  go = true;
  EXPECT_EQ(pending.get(), 1);
}

TEST_P(async, the_runtimes_end_waits) {
  std::atomic<int> ran{0};
  future<int> outlives;
  {
    runtime brief{{.scheduler = std::get<0>(GetParam()), .workers = std::get<1>(GetParam()), .pin = false}};
    for (int i = 0; i < 20; ++i) {
      static_cast<void>(brief
                            .async([&] {
                              std::this_thread::sleep_for(100us);
                              ++ran;
                            })
                            .then([&] { ++ran; }));
    }
    outlives = brief.async([] { return 9; });
  }
  EXPECT_EQ(ran, 40);
  EXPECT_TRUE(outlives.ready());
  EXPECT_EQ(outlives.get(), 9);
}

TEST_P(async, from_many_threads) {
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        future<int> one = rt.async([i] { return i; });
        if (i % 3 == 0) one = one.then([](int at) { return at; });
        if (i % 2 == 0) {
          sum += one.get();
        } else {
          sum += rt.run([&] { return one.get(); });
        }
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(sum, 4 * 99 * 100 / 2);
}

TEST(async_alone, misuse_is_an_error) {
  future<int> none;
  EXPECT_FALSE(none.valid());
  EXPECT_THROW(none.ready(), jackdaw::error);
  EXPECT_THROW(none.wait(), jackdaw::error);
  EXPECT_THROW(none.get(), jackdaw::error);
  EXPECT_THROW(static_cast<void>(none.then([](int) {})), jackdaw::error);
  future<int> twice = jackdaw::async([] { return 4; });
  EXPECT_EQ(twice.get(), 4);
  EXPECT_THROW(twice.get(), jackdaw::error);
}

TEST(async_alone, a_value_outlives_its_runtime) {
  std::optional<runtime> brief(std::in_place, jackdaw::options{.scheduler = "random", .workers = 2});
  future<std::string> left = brief->async([] { return std::string(100, 'x'); });
  brief.reset();
  EXPECT_TRUE(left.ready());
  EXPECT_EQ(left.get().size(), 100u);
}

TEST(async_alone, polls) {
  std::atomic<bool> go{false};
  future<int> one = jackdaw::async([&] {
    while (!go) std::this_thread::yield();
    return 1;
  });
  EXPECT_FALSE(one.ready());
  go = true;
  while (!one.ready()) std::this_thread::yield();
  EXPECT_EQ(one.get(), 1);
}

}  // namespace
