// Groups of the C API: what they do, and that misuse is an error and no crash.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "c/called.hpp"
#include "jackdaw/cancellation.hpp"
#include "jackdaw/runtime.hpp"
#include "jackdaw/task_group.hpp"
#include "support/sanitized.hpp"

namespace {

using jackdaw::test::function;
using jackdaw::test::in_a_task;
using jackdaw::test::nothing;
using jackdaw::test::run_it;
using jackdaw::test::said;

struct number {
  int n;
  long result = 0;
};

void fib(void* arg) {
  auto* const self = static_cast<number*>(arg);
  if (self->n < 2) {
    self->result = self->n;
    return;
  }
  number left{self->n - 1}, right{self->n - 2};
  jackdaw_group* group = nullptr;
  if (jackdaw_group_begin(&group) != JACKDAW_OK || jackdaw_group_spawn(group, fib, &left) != JACKDAW_OK ||
      jackdaw_group_spawn(group, fib, &right) != JACKDAW_OK || jackdaw_group_end(group) != JACKDAW_OK) {
    self->result = -1000000;
    return;
  }
  self->result = left.result + right.result;
}

void count(void* arg) { ++*static_cast<std::atomic<int>*>(arg); }
void throws(void* /*arg*/) { throw std::runtime_error("of a child"); }

TEST(c_groups, make_a_tree) {
  number outside{12}, inside{18};
  fib(&outside);
  EXPECT_EQ(outside.result, 144);
  EXPECT_EQ(jackdaw_run(nullptr, fib, &inside), JACKDAW_OK);
  EXPECT_EQ(inside.result, 2584);
}

TEST(c_groups, are_used_again_after_a_wait) {
  for (const jackdaw_policy order : {JACKDAW_WORK_FIRST, JACKDAW_HELP_FIRST}) {
    const auto twice = [order] {
      std::atomic<int> done{0};
      jackdaw_group* group = nullptr;
      ASSERT_EQ(jackdaw_group_begin_with(&group, 20, order), JACKDAW_OK);
      for (int round = 1; round <= 2; ++round) {
        for (int i = 0; i < 20; ++i) ASSERT_EQ(jackdaw_group_spawn_work(group, 1, count, &done), JACKDAW_OK);
        ASSERT_EQ(jackdaw_group_wait(group), JACKDAW_OK);
        EXPECT_EQ(done, 20 * round);
      }
      ASSERT_EQ(jackdaw_group_spawn_near(group, &done, sizeof done, JACKDAW_UNKNOWN, count, &done), JACKDAW_OK);
      ASSERT_EQ(jackdaw_group_end(group), JACKDAW_OK);
      EXPECT_EQ(done, 41);
    };
    twice();
    EXPECT_EQ(in_a_task(twice), JACKDAW_OK);
  }
}

TEST(c_groups, that_are_null_are_errors) {
  jackdaw_group* group = nullptr;
  EXPECT_EQ(jackdaw_group_wait(nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_TRUE(said("jackdaw_group_wait: a null group"));
  EXPECT_EQ(jackdaw_group_end(nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_group_spawn(nullptr, nothing, nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_group_spawn_near(nullptr, nullptr, 0, 1, nothing, nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_group_begin(nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_group_begin_with(&group, 1, 7), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(group, nullptr);
  ASSERT_EQ(jackdaw_group_begin(&group), JACKDAW_OK);
  EXPECT_EQ(jackdaw_group_spawn(group, nullptr, nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_group_spawn_near(group, nullptr, 8, 1, nothing, nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_group_end(group), JACKDAW_OK);
}

TEST(c_groups, that_never_were_are_errors) {
  long here = 0;
  for (void* const wild : {static_cast<void*>(&here), reinterpret_cast<void*>(8), reinterpret_cast<void*>(-1),
                           reinterpret_cast<void*>(std::uintptr_t{1} << 63), reinterpret_cast<void*>(&std::abort)}) {
    EXPECT_EQ(jackdaw_group_wait(static_cast<jackdaw_group*>(wild)), JACKDAW_ERROR_HANDLE);
    EXPECT_EQ(jackdaw_group_end(static_cast<jackdaw_group*>(wild)), JACKDAW_ERROR_HANDLE);
    EXPECT_EQ(jackdaw_group_spawn(static_cast<jackdaw_group*>(wild), nothing, nullptr), JACKDAW_ERROR_HANDLE);
  }
}

TEST(c_groups, that_have_ended_are_errors) {
  const auto ended = [] {
    jackdaw_group* first = nullptr;
    ASSERT_EQ(jackdaw_group_begin(&first), JACKDAW_OK);
    ASSERT_EQ(jackdaw_group_end(first), JACKDAW_OK);
    jackdaw_group* second = nullptr;  // in the first one's place
    ASSERT_EQ(jackdaw_group_begin(&second), JACKDAW_OK);
    EXPECT_NE(first, second);
    EXPECT_EQ(jackdaw_group_end(first), JACKDAW_ERROR_HANDLE);
    EXPECT_EQ(jackdaw_group_wait(first), JACKDAW_ERROR_HANDLE);
    EXPECT_EQ(jackdaw_group_spawn(first, nothing, nullptr), JACKDAW_ERROR_HANDLE);
    EXPECT_EQ(jackdaw_group_end(second), JACKDAW_OK);
  };
  ended();
  EXPECT_EQ(in_a_task(ended), JACKDAW_OK);
}

TEST(c_groups, belong_to_their_task) {
  std::atomic<int> refused{0};
  const auto own = [&] {
    jackdaw_group* group = nullptr;
    ASSERT_EQ(jackdaw_group_begin(&group), JACKDAW_OK);
    std::atomic<int> done{0};
    function other = [&] {
      if (jackdaw_group_wait(group) == JACKDAW_ERROR_OWNER && said("belongs to another task or thread")) ++refused;
      if (jackdaw_group_spawn(group, count, &done) == JACKDAW_ERROR_OWNER) ++refused;
      if (jackdaw_group_end(group) == JACKDAW_ERROR_OWNER) ++refused;
    };
    ASSERT_EQ(jackdaw_group_spawn(group, count, &done), JACKDAW_OK);
    ASSERT_EQ(jackdaw_group_spawn(group, run_it, &other), JACKDAW_OK);
    ASSERT_EQ(jackdaw_invoke(run_it, &other, run_it, &other), JACKDAW_OK);
    std::thread(other).join();
    ASSERT_EQ(jackdaw_run(nullptr, run_it, &other), JACKDAW_OK);
    EXPECT_EQ(jackdaw_group_end(group), JACKDAW_OK);
    EXPECT_EQ(done, 1);
  };
  own();
  EXPECT_EQ(refused, 15);
  EXPECT_EQ(in_a_task(own), JACKDAW_OK);
  EXPECT_EQ(refused, 30);
}

TEST(c_groups, of_a_task_are_used_within_a_tied_function) {
  const auto own = [] {
    jackdaw_group* group = nullptr;
    ASSERT_EQ(jackdaw_group_begin(&group), JACKDAW_OK);
    std::atomic<int> done{0};
    function part = [&] {
      EXPECT_EQ(jackdaw_group_spawn(group, count, &done), JACKDAW_OK);
      EXPECT_EQ(jackdaw_group_wait(group), JACKDAW_OK);
    };
    const std::thread::id before = std::this_thread::get_id();
    ASSERT_EQ(jackdaw_tied(run_it, &part), JACKDAW_OK);
    EXPECT_EQ(before, std::this_thread::get_id());
    EXPECT_EQ(jackdaw_group_end(group), JACKDAW_OK);
    EXPECT_EQ(done, 1);
  };
  own();
  EXPECT_EQ(in_a_task(own), JACKDAW_OK);
  EXPECT_EQ(jackdaw_tied(nullptr, nullptr), JACKDAW_ERROR_ARGUMENT);
}

TEST(c_groups, that_are_left_open_end_with_their_function) {
  std::atomic<int> done{0};
  jackdaw_group* last = nullptr;
  const auto leaves = [&] {
    for (int i = 0; i < 10000; ++i) {
      ASSERT_EQ(jackdaw_group_begin(&last), JACKDAW_OK);
      ASSERT_EQ(jackdaw_group_spawn(last, count, &done), JACKDAW_OK);
    }
  };
  EXPECT_EQ(in_a_task(leaves), JACKDAW_OK);
  EXPECT_EQ(done, 10000);
  EXPECT_EQ(jackdaw_group_end(last), JACKDAW_ERROR_HANDLE);
  std::thread(leaves).join();
  EXPECT_EQ(done, 20000);
  EXPECT_EQ(jackdaw_group_end(last), JACKDAW_ERROR_HANDLE);
}

/// Work is a hint: whatever number it is, the child runs.
TEST(c_groups, take_any_number_as_work) {
  std::atomic<int> done{0};
  const double odd[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, -5, 0, 1e308};
  const auto own = [&] {
    for (const double total : odd) {
      for (const double work : odd) {
        jackdaw_group* group = nullptr;
        ASSERT_EQ(jackdaw_group_begin_with(&group, total, JACKDAW_WORK_FIRST), JACKDAW_OK);
        EXPECT_EQ(jackdaw_group_spawn_work(group, work, count, &done), JACKDAW_OK);
        EXPECT_EQ(jackdaw_group_end(group), JACKDAW_OK);
      }
    }
  };
  for (const char* const scheduler : {"adws", "cab", "laws"}) {
    jackdaw::runtime rt({.scheduler = scheduler, .workers = 2});
    rt.run(own);
  }
  EXPECT_EQ(done, 3 * 36);
}

/// More groups in all than can be open at once.
TEST(c_groups, that_are_left_open_at_the_ends_of_threads_leave_their_places) {
  if (jackdaw::test::sanitized) GTEST_SKIP() << "takes long";
  int failed = 0;
  for (int i = 0; i < 9000; ++i) {
    std::thread([&] {
      jackdaw_group* group = nullptr;
      for (int one = 0; one < 128; ++one) failed += jackdaw_group_begin(&group) != JACKDAW_OK;
    }).join();
  }
  EXPECT_EQ(failed, 0);
}

TEST(c_groups, that_are_left_open_by_children_and_blocks_end_with_these) {
  std::atomic<int> done{0};
  function leaves = [&] {
    jackdaw_group* group = nullptr;
    ASSERT_EQ(jackdaw_group_begin_with(&group, JACKDAW_UNKNOWN, JACKDAW_HELP_FIRST), JACKDAW_OK);
    for (int i = 0; i < 10; ++i) ASSERT_EQ(jackdaw_group_spawn(group, count, &done), JACKDAW_OK);
  };
  ASSERT_EQ(jackdaw_invoke(run_it, &leaves, run_it, &leaves), JACKDAW_OK);
  EXPECT_EQ(done, 20);
  const auto block = [](int64_t, int64_t, void* arg) { run_it(arg); };
  ASSERT_EQ(jackdaw_for(0, 8, 1, block, &leaves), JACKDAW_OK);
  EXPECT_EQ(done, 100);
}

TEST(c_groups, report_what_a_child_throws) {
  const auto own = [] {
    jackdaw_group* group = nullptr;
    ASSERT_EQ(jackdaw_group_begin(&group), JACKDAW_OK);
    ASSERT_EQ(jackdaw_group_spawn(group, throws, nullptr), JACKDAW_OK);
    EXPECT_EQ(jackdaw_group_wait(group), JACKDAW_ERROR_EXCEPTION);
    EXPECT_STREQ(jackdaw_last_error(), "jackdaw_group_wait: of a child");
    ASSERT_EQ(jackdaw_group_spawn(group, [](void*) { throw 7; }, nullptr), JACKDAW_OK);
    EXPECT_EQ(jackdaw_group_wait(group), JACKDAW_ERROR_EXCEPTION);
    ASSERT_EQ(jackdaw_group_spawn(group, [](void*) { throw jackdaw::cancelled(); }, nullptr), JACKDAW_OK);
    EXPECT_EQ(jackdaw_group_wait(group), JACKDAW_ERROR_CANCELLED);
    ASSERT_EQ(jackdaw_group_spawn(group, [](void*) { throw std::bad_alloc(); }, nullptr), JACKDAW_OK);
    EXPECT_EQ(jackdaw_group_end(group), JACKDAW_ERROR_NO_MEMORY);
    EXPECT_EQ(jackdaw_group_end(group), JACKDAW_ERROR_HANDLE);
  };
  own();
  EXPECT_EQ(in_a_task(own), JACKDAW_OK);
}

TEST(c_groups, that_are_left_open_report_what_a_child_throws) {
  const auto leaves = [] {
    jackdaw_group* group = nullptr;
    ASSERT_EQ(jackdaw_group_begin(&group), JACKDAW_OK);
    ASSERT_EQ(jackdaw_group_spawn(group, throws, nullptr), JACKDAW_OK);
  };
  EXPECT_EQ(in_a_task(leaves), JACKDAW_ERROR_EXCEPTION);
  EXPECT_STREQ(jackdaw_last_error(), "jackdaw_run: of a child");
  const auto throws_itself = [&] {
    leaves();
    throw std::logic_error("of the function");
  };
  EXPECT_EQ(in_a_task(throws_itself), JACKDAW_ERROR_EXCEPTION);
  EXPECT_STREQ(jackdaw_last_error(), "jackdaw_run: of the function");
  std::thread(leaves).join();  // nobody is told, and nothing ends
}

TEST(c_groups, of_tasks_of_the_other_api) {
  std::atomic<int> done{0};
  jackdaw::task_group group;
  for (int i = 0; i < 20; ++i) {
    group.run([&] {
      jackdaw_group* own = nullptr;
      ASSERT_EQ(jackdaw_group_begin(&own), JACKDAW_OK);
      ASSERT_EQ(jackdaw_group_spawn(own, count, &done), JACKDAW_OK);
      ASSERT_EQ(jackdaw_group_end(own), JACKDAW_OK);
    });
  }
  group.wait();
  EXPECT_EQ(done, 20);
}

TEST(c_groups, of_a_parent_process_are_errors_in_its_child) {
  std::atomic<int> done{0};
  std::atomic<bool> goes_on{false};
  function waits = [&] {
    while (!goes_on) std::this_thread::yield();
    ++done;
  };
  jackdaw_group* group = nullptr;
  ASSERT_EQ(jackdaw_group_begin(&group), JACKDAW_OK);
  ASSERT_EQ(jackdaw_group_spawn(group, run_it, &waits), JACKDAW_OK);
  const pid_t child = fork();
  if (child == 0) {
    const bool right = jackdaw_group_wait(group) == JACKDAW_ERROR_HANDLE && said("only the parent process has");
    _exit(right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  goes_on = true;
  EXPECT_EQ(jackdaw_group_end(group), JACKDAW_OK);
  EXPECT_EQ(done, 1);
}

}  // namespace
