// Cancellation, exceptions and isolation, as programs of oneTBB use them.
#include <gtest/gtest.h>
#include <tbb/tbb.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tbb_headers/which.hpp"

namespace {

TEST(TbbContexts, AnExceptionCancelsTheRest) {
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> ran{0};
    tbb::task_group_context context;
    EXPECT_THROW(tbb::parallel_for(
                     tbb::blocked_range<int>(0, 100000),
                     [&](const tbb::blocked_range<int>& part) {
                       if (++ran == 10) throw std::runtime_error(std::to_string(part.begin()));
                     },
                     tbb::simple_partitioner(), context),
                 std::runtime_error);
    EXPECT_LT(ran, 100000);
    EXPECT_TRUE(context.is_group_execution_cancelled());
    const int before = ran;
    try {
      tbb::parallel_for(0, 100, [&](int) { ++ran; }, context);  // libtbb throws it again
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(ran, before);
    context.reset();
    tbb::parallel_for(0, 100, [&](int) { ++ran; }, context);
    EXPECT_EQ(ran, before + 100);
  }
}

TEST(TbbContexts, OneOfManyExceptionsComesOut) {
  int caught = 0;
  for (int round = 0; round < 50; ++round) {
    try {
      tbb::parallel_for(0, 100, [](int i) { throw i; }, tbb::simple_partitioner());
    } catch (int i) {
      EXPECT_TRUE(i >= 0 && i < 100);
      ++caught;
    }
    EXPECT_THROW(tbb::parallel_invoke([] { throw std::logic_error("one"); }, [] { throw std::logic_error("other"); }),
                 std::logic_error);
  }
  EXPECT_EQ(caught, 50);
}

TEST(TbbContexts, AnInnerLoopsExceptionCanBeCaughtWithinTheOuterOne) {
  std::atomic<int> caught{0}, ran{0};
  tbb::parallel_for(0, 50, [&](int) {
    try {
      tbb::parallel_for(0, 50, [&](int j) {
        if (j == 25) throw std::runtime_error("inner");
      });
    } catch (const std::runtime_error&) {
      ++caught;
    }
    tbb::parallel_for(0, 10, [&](int) { ++ran; });
  });
  EXPECT_EQ(caught, 50);
  EXPECT_EQ(ran, 500);
}

TEST(TbbContexts, CancellationFromInside) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> ran{0};
    tbb::task_group_context context;
    tbb::parallel_for(
        0, 1000000,
        [&](int) {
          if (++ran == 100) tbb::task::current_context()->cancel_group_execution();
        },
        tbb::simple_partitioner(), context);
    EXPECT_GE(ran, 100);
    EXPECT_LT(ran, 1000000);
    EXPECT_TRUE(context.is_group_execution_cancelled());
    EXPECT_FALSE(context.cancel_group_execution());
  }
  // The same without a context of one's own.
  std::atomic<int> ran{0};
  tbb::parallel_for(
      0, 1000000,
      [&](int) {
        if (++ran == 100) tbb::task::current_context()->cancel_group_execution();
      },
      tbb::simple_partitioner());
  EXPECT_LT(ran, 1000000);
}

TEST(TbbContexts, AReductionThatIsCancelledEnds) {
  tbb::task_group_context context;
  std::atomic<int> parts{0};
  tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 1000000), 0,
      [&](const tbb::blocked_range<int>& part, int so_far) {
        if (++parts == 5) context.cancel_group_execution();
        return so_far + static_cast<int>(part.size());
      },
      std::plus<>(), tbb::simple_partitioner(), context);
  EXPECT_LT(parts, 1000000);
}

TEST(TbbContexts, BoundContextsAreCancelledWithTheirParentsAndIsolatedOnesAreNot) {
  tbb::task_group_context outer;
  std::atomic<int> bound_ran{0}, isolated_ran{0};
  tbb::parallel_for(
      0, 1,
      [&](int) {
        outer.cancel_group_execution();
        tbb::task_group_context bound, isolated(tbb::task_group_context::isolated);
        tbb::parallel_for(0, 100, [&](int) { ++bound_ran; }, bound);
        tbb::parallel_for(0, 100, [&](int) { ++isolated_ran; }, isolated);
        EXPECT_TRUE(bound.is_group_execution_cancelled());
        EXPECT_FALSE(isolated.is_group_execution_cancelled());
      },
      outer);
  EXPECT_EQ(bound_ran, 0);
  EXPECT_EQ(isolated_ran, 100);
}

TEST(TbbContexts, AThreadCancelsALoopFromOutside) {
  tbb::task_group_context context;
  std::atomic<bool> begun{false};
  std::thread other([&] {
    while (!begun) std::this_thread::yield();
    context.cancel_group_execution();
  });
  tbb::parallel_for(
      0, 8,
      [&](int) {
        begun = true;
        tbb::parallel_for(0, 2, [&](int) {
          while (!tbb::is_current_task_group_canceling()) std::this_thread::yield();
        });
      },
      context);
  other.join();
  EXPECT_TRUE(context.is_group_execution_cancelled());
}

TEST(TbbIsolation, ALockMayBeHeldAroundAnIsolatedLoop) {
  std::mutex mutex;
  std::atomic<int> ran{0};
  tbb::parallel_for(
      0, 100,
      [&](int) {
        const std::lock_guard hold(mutex);
        tbb::this_task_arena::isolate([&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }); });
      },
      tbb::simple_partitioner());
  EXPECT_EQ(ran, 10000);
}

TEST(TbbIsolation, WhatItReturnsAndThrows) {
  const auto test = [] {
    EXPECT_EQ(tbb::this_task_arena::isolate([] { return 42; }), 42);
    EXPECT_THROW(tbb::this_task_arena::isolate([] { throw std::runtime_error("out"); }), std::runtime_error);
  };
  test();
  tbb::parallel_for(0, 10, [&](int) { test(); });
}

TEST(TbbIsolation, GroupsOfOthersInIt) {
  std::atomic<int> ran{0};
  tbb::task_group outside;
  tbb::parallel_for(0, 10, [&](int) {
    tbb::task_group around;
    tbb::this_task_arena::isolate([&] {
      outside.run([&] { ++ran; });
      around.run([&] { around.run([&] { ++ran; }); });
      tbb::task_group inside;
      inside.run([&] { ++ran; });
      inside.wait();
    });
    around.wait();
  });
  outside.wait();
  EXPECT_EQ(ran, 30);
}

TEST(TbbRest, IndicesOfThreadsAreInRangeAndDifferent) {
  std::vector<std::atomic<bool>> used(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  tbb::parallel_for(0, 5000, [&](int) {
    const int index = tbb::this_task_arena::current_thread_index();
    ASSERT_TRUE(index >= 0 && index < static_cast<int>(used.size()));
    EXPECT_FALSE(used[static_cast<std::size_t>(index)].exchange(true));
    used[static_cast<std::size_t>(index)] = false;
  });
}

TEST(TbbRest, SortsScansAndThreadLocalsAreThere) {
  std::vector<int> numbers(50000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7919 % 50021);
  tbb::parallel_sort(numbers.begin(), numbers.end());
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  tbb::enumerable_thread_specific<int> counts(0);
  tbb::parallel_for(0, 1000, [&](int) { ++counts.local(); });
  EXPECT_EQ(counts.combine(std::plus<>()), 1000);
  if (!sees_libtbb) return;
  std::atomic<int> sum{0};
  tbb::parallel_for_each(numbers.begin(), numbers.begin() + 100, [&](int) { ++sum; });
  EXPECT_EQ(sum, 100);
}

TEST(TbbRest, LoopsWithinTheTasksOfAGraph) {
  if (!sees_libtbb) GTEST_SKIP();
  std::atomic<int> ran{0};
  tbb::flow::graph graph;
  tbb::flow::function_node<int, int> node(graph, tbb::flow::unlimited, [&](int n) {
    tbb::parallel_for(0, n, [&](int) { ++ran; });
    return n;
  });
  for (int i = 0; i < 20; ++i) node.try_put(10);
  graph.wait_for_all();
  EXPECT_EQ(ran, 200);
}

/// Those that wait must not hold the thread, or all workers, that the call needs.
TEST(TbbRest, WhatIsCalledOnceForks) {
  if (!sees_libtbb) GTEST_SKIP();
  for (int round = 0; round < 100; ++round) {
    tbb::collaborative_once_flag by_tasks, from_outside;
    std::atomic<int> ran{0};
    const auto loop = [&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }, tbb::simple_partitioner()); };
    tbb::parallel_for(0, 32, [&](int) { tbb::collaborative_call_once(by_tasks, loop); }, tbb::simple_partitioner());
    EXPECT_EQ(ran, 100);
    std::atomic<bool> begun{false};
    std::thread other([&] {
      while (!begun) std::this_thread::yield();
      tbb::parallel_for(0, 8, [&](int) { tbb::collaborative_call_once(from_outside, loop); });
    });
    tbb::collaborative_call_once(from_outside, [&] {
      begun = true;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      loop();
    });
    other.join();
    EXPECT_EQ(ran, 200);
    EXPECT_THROW(
        {
          tbb::collaborative_once_flag fails;
          tbb::collaborative_call_once(fails, [] { throw std::runtime_error("once"); });
        },
        std::runtime_error);
  }
}

TEST(TbbRest, SuspendedTasks) {
  std::atomic<int> resumed{0};
  std::vector<std::thread> others;
  std::mutex mutex;
  tbb::task_group group;
  for (int i = 0; i < 8; ++i) {
    group.run([&] {
      tbb::task::suspend([&](tbb::task::suspend_point point) {
        const std::lock_guard hold(mutex);
        others.emplace_back([point] { tbb::task::resume(point); });
      });
      ++resumed;
    });
  }
  group.wait();
  EXPECT_EQ(resumed, 8);
  for (std::thread& each : others) each.join();
}

}  // namespace
