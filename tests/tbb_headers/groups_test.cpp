// task_group, as programs of oneTBB use it.
#include <gtest/gtest.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tbb_headers/which.hpp"

namespace {

// From the specification.
int fib(int n) {
  if (n < 2) return n;
  int x = 0, y = 0;
  tbb::task_group group;
  group.run([&] { x = fib(n - 1); });
  group.run([&] { y = fib(n - 2); });
  group.wait();
  return x + y;
}

TEST(TbbGroups, Fib) {
  EXPECT_EQ(fib(18), 2584);
  tbb::parallel_for(0, 10, [](int i) { EXPECT_EQ(fib(10 + i % 3), i % 3 == 0 ? 55 : i % 3 == 1 ? 89 : 144); });
}

struct node {
  int value;
  std::vector<std::unique_ptr<node>> children;
};

std::unique_ptr<node> make_tree(int depth) {
  auto made = std::make_unique<node>(node{1, {}});
  for (int i = 0; depth > 0 && i < 3; ++i) made->children.push_back(make_tree(depth - 1));
  return made;
}

void visit(const node& at, tbb::task_group& group, std::atomic<int>& sum) {
  sum += at.value;
  for (const auto& each : at.children) group.run([&] { visit(*each, group, sum); });
}

TEST(TbbGroups, ChildrenRunMoreChildren) {
  const auto tree = make_tree(7);
  for (int round = 0; round < 10; ++round) {
    std::atomic<int> sum{0};
    tbb::task_group group;
    group.run([&] { visit(*tree, group, sum); });
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_EQ(sum, (2187 * 3 - 1) / 2);
  }
  std::atomic<int> sum{0};
  tbb::parallel_for(0, 4, [&](int) {
    tbb::task_group group;
    group.run_and_wait([&] { visit(*tree, group, sum); });
  });
  EXPECT_EQ(sum, 4 * (2187 * 3 - 1) / 2);
}

/// Each child runs the next one, so there is never more than one.
void go_on(int left, tbb::task_group& group, int& count) {
  ++count;
  if (left > 0) group.run([=, &group, &count] { go_on(left - 1, group, count); });
}

TEST(TbbGroups, AChainOfChildrenMayBeLong) {
  for (const int length : {10, 30000}) {
    int count = 0;
    tbb::task_group group;
    group.run([&] { go_on(length, group, count); });
    group.wait();
    EXPECT_EQ(count, length + 1);
  }
  std::atomic<int> chains{0};
  tbb::parallel_for(0, 4, [&](int) {
    int count = 0;
    tbb::task_group group;
    group.run([&] { go_on(5000, group, count); });
    group.wait();
    chains += count;
  });
  EXPECT_EQ(chains, 4 * 5001);
}

TEST(TbbGroups, LoopsWithinChildrenRunMoreChildren) {
  std::atomic<int> ran{0};
  tbb::task_group group;
  for (int i = 0; i < 10; ++i) {
    group.run([&] { tbb::parallel_for(0, 100, [&](int) { group.run([&] { ++ran; }); }); });
  }
  group.wait();
  EXPECT_EQ(ran, 1000);
}

TEST(TbbGroups, ThreadsShareAGroup) {
  tbb::task_group group;
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> ran{0};
    std::vector<std::thread> users;
    for (int t = 0; t < 4; ++t) {
      users.emplace_back([&] {
        for (int i = 0; i < 50; ++i) group.run([&] { ++ran; });
        group.wait();
      });
    }
    for (std::thread& each : users) each.join();
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_EQ(ran, 200);
  }
}

TEST(TbbGroups, TasksShareAGroupOfAThread) {
  std::atomic<int> ran{0};
  tbb::task_group group;
  tbb::parallel_for(0, 20, [&](int) {
    for (int i = 0; i < 20; ++i) group.run([&] { ++ran; });
    if (ran % 3 == 0) group.wait();
  });
  group.wait();
  EXPECT_EQ(ran, 400);
}

TEST(TbbGroups, ATaskThatRunsAndWaitsStaysOnItsThread) {
  tbb::parallel_for(
      0, 30,
      [](int) {
        std::mutex mutex;
        tbb::task_group group;
        std::atomic<int> ran{0};
        const auto thread = std::this_thread::get_id();
        for (int i = 0; i < 20; ++i) {
          const std::lock_guard hold(mutex);  // not wanted by the children
          group.run([&] { ++ran; });
        }
        group.wait();
        EXPECT_EQ(std::this_thread::get_id(), thread);
        EXPECT_EQ(ran, 20);
      },
      tbb::simple_partitioner());
}

TEST(TbbGroups, ChildrenDoNotRunWithinRun) {
  // The parent holds a lock that the children want.
  std::mutex mutex;
  int ran = 0;
  tbb::task_group outer;
  outer.run_and_wait([&] {
    tbb::task_group group;
    for (int i = 0; i < 10; ++i) {
      const std::lock_guard hold(mutex);
      group.run([&] {
        const std::lock_guard own(mutex);
        ++ran;
      });
    }
    group.wait();
  });
  EXPECT_EQ(ran, 10);
}

TEST(TbbGroups, FunctionsMayBeMovedAndEndWithTheirChild) {
  auto counter = std::make_shared<int>(0);
  {
    tbb::task_group group;
    group.run([counter, one = std::make_unique<int>(5)] { *counter += *one; });
    group.wait();
    EXPECT_EQ(*counter, 5);
    EXPECT_EQ(counter.use_count(), 1);
    group.cancel();
    group.run([counter] { ++*counter; });
    EXPECT_EQ(group.wait(), tbb::canceled);
    EXPECT_EQ(counter.use_count(), 1);
  }
  EXPECT_EQ(*counter, 5);
}

TEST(TbbGroups, DeferredChildren) {
  if (!sees_libtbb) GTEST_SKIP();  // the memory of handles is libtbb's
  std::atomic<int> ran{0};
  auto kept = std::make_shared<int>(0);
  {
    tbb::task_group group;
    tbb::task_handle first = group.defer([&, kept] { ++ran; });
    tbb::task_handle second = group.defer([&] { ran += 10; });
    EXPECT_TRUE(static_cast<bool>(first));
    EXPECT_EQ(ran, 0);
    group.run(std::move(first));
    EXPECT_FALSE(static_cast<bool>(first));
    EXPECT_EQ(group.run_and_wait(std::move(second)), tbb::complete);
    EXPECT_EQ(ran, 11);
    {
      const tbb::task_handle unused = group.defer([kept] {});
    }
    tbb::parallel_for(0, 10, [&](int) { group.run(group.defer([&] { ++ran; })); });
    group.wait();
    EXPECT_EQ(ran, 21);
  }
  EXPECT_EQ(kept.use_count(), 1);
}

TEST(TbbGroups, ArenasRunDeferredChildren) {
  if (!sees_libtbb) GTEST_SKIP();
  tbb::task_arena arena(2);
  std::atomic<int> ran{0};
  const auto test = [&] {
    tbb::task_group group;
    for (int i = 0; i < 20; ++i) {
      arena.enqueue(group.defer([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        group.run([&] { ++ran; });
      }));
    }
    EXPECT_EQ(group.wait(), tbb::complete);
    arena.enqueue(group.defer([] { throw std::runtime_error("in the arena"); }));
    EXPECT_THROW(group.wait(), std::runtime_error);
    EXPECT_EQ(group.wait(), tbb::complete);
  };
  test();
  test();
  // libtbb's threads would all wait for the arena's tasks.
  if (on_jackdaw) tbb::parallel_for(0, 2, [&](int) { test(); });
  EXPECT_EQ(ran, on_jackdaw ? 80 : 40);
}

TEST(TbbGroups, ExceptionsComeOutOfWait) {
  const auto test = [] {
    tbb::task_group group;
    std::atomic<int> ran{0};
    group.run([] { throw std::runtime_error("child"); });
    EXPECT_THROW(group.wait(), std::runtime_error);
    group.run([&] { ++ran; });
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_THROW(group.run_and_wait([] { throw std::logic_error("self"); }), std::logic_error);
    EXPECT_EQ(group.run_and_wait([&] { ++ran; }), tbb::complete);
    EXPECT_EQ(ran, 2);
  };
  test();
  tbb::parallel_for(0, 20, [&](int) { test(); });
}

TEST(TbbGroups, CancellingAGroup) {
  const auto test = [] {
    tbb::task_group group;
    std::atomic<int> ran{0};
    group.run([&] {
      EXPECT_FALSE(tbb::is_current_task_group_canceling());
      group.cancel();
      EXPECT_TRUE(tbb::is_current_task_group_canceling());
      // Loops in it are bound to it.
      tbb::parallel_for(0, 100, [&](int) { ++ran; });
    });
    EXPECT_EQ(group.wait(), tbb::canceled);
    EXPECT_EQ(ran, 0);
    EXPECT_EQ(group.wait(), tbb::complete);
    group.run([&] { ++ran; });
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_EQ(ran, 1);
    EXPECT_FALSE(tbb::is_current_task_group_canceling());
  };
  test();
  tbb::parallel_for(0, 20, [&](int) { test(); });
}

TEST(TbbGroups, AGroupMayOutliveWhatItWasMadeIn) {
  std::unique_ptr<tbb::task_group> kept;
  std::atomic<int> ran{0};
  tbb::task_group_context context;
  tbb::parallel_for(
      0, 1,
      [&](int) {
        kept = std::make_unique<tbb::task_group>();
        context.cancel_group_execution();
      },
      context);
  kept->run([&] { ++ran; });
  EXPECT_EQ(kept->wait(), tbb::complete);
  tbb::parallel_for(0, 10, [&](int) { kept->run([&] { ++ran; }); });
  EXPECT_EQ(kept->wait(), tbb::complete);
  EXPECT_EQ(ran, 11);
}

TEST(TbbGroups, AGroupInAContext) {
  tbb::task_group_context context;
  tbb::task_group group(context);
  std::atomic<int> ran{0};
  group.run([&] {
    context.cancel_group_execution();
    group.run([&] { ++ran; });
  });
  EXPECT_EQ(group.wait(), tbb::canceled);
  EXPECT_EQ(ran, 0);
  EXPECT_FALSE(context.is_group_execution_cancelled());
}

TEST(TbbGroups, TheDestructorTellsThatNobodyHasWaited) {
  const auto test = [] {
    std::atomic<bool> begun{false}, may_end{false};
    EXPECT_THROW(
        {
          tbb::task_group group;
          group.run([&] {
            begun = true;
            while (!may_end && !tbb::is_current_task_group_canceling()) std::this_thread::yield();
          });
        },
        tbb::missing_wait);
  };
  test();
  // Not while an exception passes.
  EXPECT_THROW(
      {
        tbb::task_group group;
        group.run([] {});
        throw std::runtime_error("passing");
      },
      std::runtime_error);
}

}  // namespace
