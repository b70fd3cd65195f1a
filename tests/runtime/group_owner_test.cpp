// A group belongs to the task or thread that made it. Any other user gets an error, if that can be detected.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "jackdaw/error.hpp"
#include "jackdaw/task_group.hpp"
#include "runtime/two_workers.hpp"
#include "support/error_of.hpp"

namespace {

using jackdaw::error_of;
using jackdaw::policy;
using jackdaw::task_group;
using jackdaw::test::each_scheduler;
using jackdaw::test::meet;

constexpr const char* refusal =
    "a task_group was used by two tasks or threads: only the one that has made a group may run children in it "
    "and wait for them";

template <class F>
void on_a_thread(F f) {
  std::thread(f).join();
}

class group_owner : public each_scheduler {};

TEST_P(group_owner, is_not_its_child) {
  rt.run([] {
    std::atomic<int> here{0};
    std::string said;
    task_group group;
    group.run([&] {
      meet(here, 2);  // so the parent runs elsewhere
      said = error_of([&] { group.wait(); });
    });
    meet(here, 2);
    group.wait();
    EXPECT_EQ(said, refusal);
  });
}

TEST_P(group_owner, is_not_a_task_of_another_group) {
  rt.run([] {
    std::atomic<int> here{0};
    std::latch asked(1);
    std::string said;
    task_group group;
    group.run([&] {
      meet(here, 2);
      asked.wait();
    });
    meet(here, 2);
    task_group other;
    other.run([&] {
      said = error_of([&] { group.wait(); });
      asked.count_down();
    });
    other.wait();
    group.wait();
    EXPECT_EQ(said, refusal);
  });
}

TEST_P(group_owner, is_not_a_task_of_another_runtime) {
  jackdaw::runtime others({.workers = 1});
  rt.run([&] {
    std::atomic<int> here{0};
    std::latch asked(1);
    task_group group;
    group.run([&] {
      meet(here, 2);
      asked.wait();
    });
    meet(here, 2);
    EXPECT_EQ(others.run([&] { return error_of([&] { group.wait(); }); }), refusal);
    asked.count_down();
    group.wait();
  });
}

TEST_P(group_owner, is_no_thread_if_it_is_a_task) {
  rt.run([] {
    for (const policy order : {policy::work_first, policy::help_first}) {
      std::atomic<int> here{0};
      std::latch asked(1);
      task_group group(order);
      group.run([&] {
        meet(here, 2);
        asked.wait();
      });
      meet(here, 2);
      on_a_thread([&] {
        EXPECT_EQ(error_of([&] { group.wait(); }), refusal);
        EXPECT_EQ(error_of([&] { group.run([] {}); }), refusal);
      });
      asked.count_down();
      group.wait();
    }
  });
}

/// The same task on any worker, and however its children were detached.
TEST_P(group_owner, is_the_task_on_any_worker) {
  for (int round = 0; round < 100; ++round) {
    rt.run([] {
      std::atomic<int> here{0};
      task_group group;
      for (int i = 1; i <= 2; ++i) {
        group.run([&, i] { meet(here, i + 1); });
      }
      ++here;
      group.wait();
      group.run([&] {
        task_group inner;
        inner.run([] { std::this_thread::yield(); });
        inner.wait();
      });
      group.wait();
    });
  }
}

INSTANTIATE_TEST_SUITE_P(all, group_owner, jackdaw::test::all_schedulers, jackdaw::test::name_of_scheduler);

TEST(group_owner_outside, is_no_other_thread_and_no_task) {
  std::latch asked(1);
  task_group group;
  group.run([&] { asked.wait(); });
  on_a_thread([&] { EXPECT_EQ(error_of([&] { group.wait(); }), refusal); });
  jackdaw::runtime rt({.workers = 1});
  EXPECT_EQ(rt.run([&] { return error_of([&] { group.wait(); }); }), refusal);
  EXPECT_EQ(rt.run([&] { return error_of([&] { group.run([] {}); }); }), refusal);
  asked.count_down();
  group.wait();
}

TEST(group_owner_outside, may_become_a_task_and_a_thread_again) {
  task_group group;
  std::atomic<int> ended{0};
  group.run([&] { ++ended; });
  group.wait();
  jackdaw::runtime rt({.workers = 2});
  rt.run([&] {
    group.run([&] { ++ended; });
    group.wait();
  });
  on_a_thread([&] {
    group.run([&] { ++ended; });
    group.wait();
  });
  EXPECT_EQ(ended, 3);
}

TEST(group_owner_death, reports_that_another_thread_destroys_the_group) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        std::latch never(1);
        auto group = std::make_unique<task_group>();
        group->run([&] { never.wait(); });
        on_a_thread([&] { group.reset(); });
      },
      "a task_group was used by two tasks or threads");
}

}  // namespace
