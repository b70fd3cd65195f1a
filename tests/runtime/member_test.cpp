// Clients of a runtime that join one of its arenas while they stand in there, and leave it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "jackdaw/jackdaw.hpp"
#include "runtime/runtime_access.hpp"
#include "support/spin.hpp"

namespace jackdaw {
namespace {

using namespace std::chrono_literals;

/// Forks that wait for one another for some time.
int fib(int n) {
  if (n < 2) return n;
  int a = 0, b = 0;
  invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
  if (n == 9) test::spin(20us);
  return a + b;
}

class member : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(of, member, testing::Bool(), [](const auto& each) { return each.param ? "tied" : "untied"; });

/// Tasks of another client's roots are bound to the thread when it is to leave.
TEST_P(member, goes_when_nothing_is_bound_to_it) {
  runtime rt({.scheduler = "random", .workers = 2, .pin = false, .tied = GetParam()});
  const std::unique_ptr<runtime> arena = detail::runtime_access::arena_of(rt, {.workers = 2});
  std::atomic<int> calls{0};
  std::atomic<bool> over{false};
  std::thread other([&] {
    for (int seen = 0; !over;) {
      if (calls == seen) {
        std::this_thread::yield();
      } else {
        seen = calls;
        EXPECT_EQ(arena->run([] { return fib(20); }), 6765);
      }
    }
  });
  for (int round = 0; round < 150; ++round) {
    std::this_thread::sleep_for(1ms);  // all workers sleep, so that this thread stands in
    rt.run([&] {
      ++calls;
      test::spin(100us);
      int result = 0;
      const auto joined = [&] { result = fib(16); };
      detail::root_of<decltype(joined)> task(joined);
      detail::runtime_access::join(*arena, task);
      EXPECT_EQ(result, 987);
    });
  }
  over = true;
  other.join();
}

}  // namespace
}  // namespace jackdaw
