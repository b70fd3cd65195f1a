// $JACKDAW_MOVE: forks move the task to another worker, and nothing else changes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "jackdaw/jackdaw.hpp"
#include "runtime/two_workers.hpp"
#include "support/fib.hpp"

namespace {

using jackdaw::policy;
using jackdaw::runtime;
using jackdaw::task_group;

thread_local int of_a_thread = 0;

[[gnu::noinline]] const int* address_now() {
  asm volatile("" ::: "memory");
  return &of_a_thread;
}

class moving : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    setenv("JACKDAW_MOVE", "1", 1);
    rt.emplace(jackdaw::options{.scheduler = GetParam(), .workers = 2});
  }
  void TearDown() override {
    rt.reset();
    unsetenv("JACKDAW_MOVE");
  }
  std::optional<runtime> rt;
};

/// Forks until the task has another thread's variables. No branch waits for another, so only the mode moves it surely.
template <class Fork>
void fork_until_moved(Fork fork) {
  const int* const before = address_now();
  while (address_now() == before) {
    fork();
  }
}

TEST_P(moving, takes_a_task_to_another_worker_at_an_invoke) {
  rt->run([] { jackdaw::invoke([] { fork_until_moved([] { jackdaw::invoke([] {}, [] {}); }); }, [] {}); });
}

TEST_P(moving, takes_a_task_to_another_worker_at_a_run) {
  rt->run([] {
    jackdaw::invoke(
        [] {
          fork_until_moved([] {
            task_group group;
            group.run([] {});
            group.wait();
          });
        },
        [] {});
  });
}

unsigned fib(unsigned n, policy order) {
  if (n < 2) {
    return n;
  }
  unsigned a = 0;
  task_group group(order);
  group.run([&] { a = fib(n - 1, order); });
  const unsigned b = fib(n - 2, order);
  group.wait();
  return a + b;
}

TEST_P(moving, leaves_results_as_they_are) {
  EXPECT_EQ(rt->run([] { return jackdaw::test::fib(12); }), 144u);
  EXPECT_EQ(rt->run([] { return fib(12, policy::work_first); }), 144u);
  EXPECT_EQ(rt->run([] { return fib(12, policy::help_first); }), 144u);
}

INSTANTIATE_TEST_SUITE_P(, moving, jackdaw::test::all_schedulers, jackdaw::test::name_of_scheduler);

}  // namespace
