// Groups of tasks, their contexts, cancellation and exceptions.
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cfenv>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tbb/chapter.hpp"

namespace {

using chapter::say;

long fib(int n) {
  if (n < 2) return n;
  long a = 0;
  tbb::task_group group;
  group.run([&a, n] { a = fib(n - 1); });
  const long b = fib(n - 2);
  CHECK(group.wait() == tbb::complete);
  return a + b;
}

/// One group that many threads use: all run in it, and one waits.
void shared_group() {
  tbb::task_group group;
  std::atomic<int> ran{0};
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> others;
    for (int t = 0; t < 4; ++t) {
      others.emplace_back([&] {
        for (int i = 0; i < 50; ++i) {
          group.run([&] {
            ++ran;
            group.run([&] { ++ran; });
          });
        }
      });
    }
    for (std::thread& each : others) each.join();
    group.wait();
    CHECK(ran == (round + 1) * 400);
  }
  say("a group of several threads", ran);
}

/// Spawned by one thread and waited for by others.
void several_waiters() {
  tbb::task_group group;
  std::atomic<int> ran{0}, waited{0};
  for (int i = 0; i < 200; ++i) {
    group.run([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      ++ran;
    });
  }
  std::vector<std::thread> others;
  for (int t = 0; t < 3; ++t) {
    others.emplace_back([&] {
      group.wait();
      CHECK(ran == 200);
      ++waited;
    });
  }
  for (std::thread& each : others) each.join();
  say("several wait", waited);
}

/// Groups that begin and end on one stack address again and again, so that late notifications meet the next group.
void short_groups() {
  std::atomic<int> ran{0};
  tbb::parallel_for(0, 3000, [&](int) {
    tbb::task_group group;
    group.run([&] { ++ran; });
    group.run([&] { ++ran; });
    group.wait();
  });
  say("short groups", ran);
}

void many() {
  std::atomic<int> ran{0};
  tbb::task_group group;
  for (int i = 0; i < 200000; ++i) group.run([&] { ++ran; });
  group.wait();
  tbb::task_group inner;
  inner.run_and_wait([&] {
    for (int i = 0; i < 200000; ++i) inner.run([&] { ++ran; });
  });
  say("more than a deque has room for", ran);
}

/// Waits within waits: more than half of a stack.
int deep(int levels) {
  volatile char used[600];
  used[0] = 1;
  if (levels == 0) return used[0];
  int below = 0;
  tbb::task_group group;
  group.run([&] { below = deep(levels - 1); });
  group.wait();
  return below + used[0];
}

void handles() {
  tbb::task_group group;
  std::atomic<int> ran{0};
  tbb::task_handle first = group.defer([&] { ran += 1; });
  tbb::task_handle second = group.defer([&] { ran += 10; });
  tbb::task_handle dropped = group.defer([&] { ran += 100; });
  dropped = tbb::task_handle();
  group.run(std::move(first));
  group.run_and_wait(std::move(second));
  say("handles", ran);
}

void exceptions() {
  int caught = 0;
  for (int round = 0; round < 30; ++round) {
    try {
      tbb::parallel_for(0, 10000, [&](int i) {
        if (i % 1000 == 999) throw std::runtime_error("leaf " + std::to_string(i));
      });
      CHECK(false);
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()).starts_with("leaf "));
      ++caught;
    }
  }
  say("exceptions of loops", caught);

  // From an inner loop to the outermost one, which catches.
  std::atomic<int> seen{0};
  try {
    tbb::parallel_for(0, 20, [&](int i) {
      try {
        tbb::parallel_for(0, 100, [&](int j) {
          if (j == 50) throw i;
        });
        CHECK(tbb::is_current_task_group_canceling());
      } catch (int thrown) {
        CHECK(thrown == i);
        ++seen;
        if (i == 10) throw;
      }
    });
    CHECK(false);
  } catch (int thrown) {
    CHECK(thrown == 10);
  }
  CHECK(seen >= 1);

  tbb::task_group group;
  group.run([] { throw std::logic_error("one"); });
  group.run([] { throw std::logic_error("two"); });
  try {
    group.wait();
    CHECK(false);
  } catch (const std::logic_error&) {
  }
  std::atomic<int> after{0};
  group.run([&] { ++after; });
  CHECK(group.wait() == tbb::complete);
  say("a group after an exception", after);
  try {
    group.run_and_wait([] { throw 5; });
    CHECK(false);
  } catch (int thrown) {
    say("run_and_wait throws", thrown);
  }
}

void cancellation() {
  tbb::task_group group;
  std::atomic<int> ran{0};
  group.run([&] {
    tbb::task_group_context* const own = tbb::task::current_context();
    CHECK(own != nullptr && !own->is_group_execution_cancelled());
    group.cancel();
    CHECK(tbb::is_current_task_group_canceling());
    ++ran;
  });
  CHECK(group.wait() == tbb::canceled);
  CHECK(group.wait() == tbb::complete);

  // Loops within loops end when the outermost one is cancelled; an isolated context does not.
  tbb::task_group_context outer;
  std::atomic<bool> inner_cancelled{false}, apart_cancelled{false};
  tbb::parallel_for(
      0, 2,
      [&](int i) {
        if (i != 0) return;
        tbb::task_group_context inner, apart(tbb::task_group_context::isolated);
        tbb::parallel_for(
            0, 1,
            [&](int) {
              tbb::parallel_for(
                  0, 1,
                  [&](int) {
                    outer.cancel_group_execution();
                    inner_cancelled = inner.is_group_execution_cancelled();
                    apart_cancelled = apart.is_group_execution_cancelled();
                  },
                  inner);
            },
            apart);
        // Bound to its spawner's group, which is cancelled.
        tbb::task_group_context late;
        std::atomic<int> not_run{0};
        tbb::parallel_for(0, 100, [&](int) { ++not_run; }, late);
        CHECK(not_run == 0 && late.is_group_execution_cancelled());
      },
      outer);
  CHECK(outer.is_group_execution_cancelled());
  // `inner` was bound within `apart`, which nothing has cancelled.
  CHECK(!inner_cancelled && !apart_cancelled);
  outer.reset();
  CHECK(!outer.is_group_execution_cancelled());
  std::atomic<int> all{0};
  tbb::parallel_for(0, 100, [&](int) { ++all; }, outer);
  say("cancelled", ran + all);

  tbb::task_group_context first;
  std::atomic<int> deep{0};
  tbb::parallel_for(
      0, 1,
      [&](int) {
        tbb::task_group_context second;
        tbb::parallel_for(
            0, 1,
            [&](int) {
              tbb::task_group_context third;
              tbb::parallel_for(
                  0, 1,
                  [&](int) {
                    first.cancel_group_execution();
                    deep += second.is_group_execution_cancelled() && third.is_group_execution_cancelled() ? 1 : 0;
                  },
                  third);
            },
            second);
      },
      first);
  say("through three levels", deep);

  // Many cancellations beside contexts that come and go.
  std::atomic<int> rounds{0};
  for (int round = 0; round < 200; ++round) {
    tbb::task_group_context top;
    std::atomic<int> begun{0};
    tbb::parallel_for(
        0, 64,
        [&](int i) {
          tbb::parallel_for(0, 8, [&](int) {
            if (++begun == 50) top.cancel_group_execution();
            CHECK(i >= 0);
          });
        },
        top);
    if (top.is_group_execution_cancelled() && begun < 64 * 8 + 1) ++rounds;
  }
  say("cancelled in the middle", rounds);
}

void rounding() {
  std::fesetround(FE_UPWARD);
  tbb::task_group_context up;
  up.capture_fp_settings();
  std::fesetround(FE_TONEAREST);
  std::atomic<int> wrong{0};
  tbb::parallel_for(0, 1000, [&](int) { wrong += std::fegetround() != FE_UPWARD; }, up);
  CHECK(std::fegetround() == FE_TONEAREST);
  tbb::parallel_for(0, 1000, [&](int) {
    wrong += std::fegetround() != FE_TONEAREST;
    tbb::parallel_for(0, 3, [&](int) { wrong += std::fegetround() != FE_UPWARD; }, up);
    wrong += std::fegetround() != FE_TONEAREST;
  });
  say("wrong rounding modes", wrong);
}

}  // namespace

int main() {
  say("fib by groups", fib(20));
  shared_group();
  several_waiters();
  short_groups();
  many();
  say("waits within waits", deep(3000));
  handles();
  exceptions();
  cancellation();
  rounding();
  chapter::tell_who_ran();
}
