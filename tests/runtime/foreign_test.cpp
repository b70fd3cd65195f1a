// Unwinding that is no C++ exception: it passes within a task, and ends the program with a message if it would leave
// the task. Also threads that are cancelled while they wait for tasks.
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>
#include <unwind.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "runtime/runtime_access.hpp"
#include "runtime/two_workers.hpp"
#include "trace/recorder.hpp"

namespace {

using jackdaw::policy;
using jackdaw::runtime;
using jackdaw::task_group;
using jackdaw::test::meet;

constexpr const char* message = "a task ended its thread .*, or threw an exception that is not one of C\\+\\+";

[[gnu::noinline]] void throw_of_another_language() {
  static _Unwind_Exception foreign;
  foreign.exception_class = 0x4a41434b44415700;  // "JACKDAW"
  foreign.exception_cleanup = [](_Unwind_Reason_Code, _Unwind_Exception*) {};
  _Unwind_RaiseException(&foreign);
  _exit(5);  // it was not caught
}

void exit_thread() { pthread_exit(nullptr); }

/// A client that stands in for a worker cannot be cancelled meanwhile, unless a task asks for it.
void cancel_thread() {
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
  pthread_cancel(pthread_self());
  for (;;) pthread_testcancel();
}

struct way {
  const char* name;
  void (*leave)();
};

class foreign : public testing::TestWithParam<way> {
 protected:
  void SetUp() override {
    if (jackdaw::detail::announced) GTEST_SKIP() << "the sanitizers do not follow";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }

  /// f(leave) as a task of a runtime under each scheduler.
  template <class F>
  void ends_the_program(F f) {
    const auto leave = GetParam().leave;
    for (const char* const scheduler : {"random", "adws"}) {
      EXPECT_DEATH(
          {
            runtime rt({.scheduler = scheduler, .workers = 2});
            rt.run([&] { f(leave); });
          },
          message)
          << scheduler;
    }
  }
};

TEST_P(foreign, out_of_a_root) {
  ends_the_program([](auto leave) { leave(); });
}

TEST_P(foreign, out_of_a_child) {
  for (const policy order : {policy::work_first, policy::help_first}) {
    ends_the_program([order](auto leave) {
      task_group group(order);
      group.run(leave);
      group.wait();
    });
  }
}

TEST_P(foreign, out_of_a_child_that_runs_beside_its_parent) {
  for (const policy order : {policy::work_first, policy::help_first}) {
    ends_the_program([order](auto leave) {
      std::atomic<int> here{0};
      task_group group(order);
      group.run([&] {
        meet(here, 2);
        leave();
      });
      meet(here, 2);
      group.wait();
    });
  }
}

TEST_P(foreign, out_of_branches) {
  ends_the_program([](auto leave) { jackdaw::invoke(leave, [] {}); });
  ends_the_program([](auto leave) { jackdaw::invoke([] {}, leave); });
  ends_the_program([](auto leave) { jackdaw::invoke([] {}, [] {}, leave, [] {}); });
  ends_the_program([](auto leave) {
    std::atomic<int> here{0};
    jackdaw::invoke([&] { meet(here, 2); },
                    [&] {
                      meet(here, 2);
                      leave();
                    });
  });
}

TEST_P(foreign, out_of_loops_and_comparisons) {
  ends_the_program([](auto leave) {
    jackdaw::for_index(0, 1000, [&](int i) {
      if (i == 500) leave();
    });
  });
  ends_the_program([](auto leave) {
    std::vector<std::string> texts(5000, "x");
    jackdaw::stable_sort(texts.begin(), texts.end(), [&](const std::string&, const std::string&) -> bool {
      leave();
      return false;
    });
  });
}

TEST_P(foreign, out_of_a_child_of_a_thread) {
  EXPECT_DEATH(
      {
        task_group group;
        group.run(GetParam().leave);
        group.wait();
      },
      message);
}

TEST_P(foreign, out_of_recorded_tasks) {
  const auto leave = GetParam().leave;
  const auto recorded = [](auto f) {
    jackdaw::trace::recorder recorder("test", 2);
    runtime rt = jackdaw::detail::runtime_access::recording({}, recorder);
    rt.run(f);
  };
  EXPECT_DEATH(recorded([&] { jackdaw::invoke(leave, [] {}); }), message);
  EXPECT_DEATH(recorded([&] {
                 task_group group;
                 group.run(leave);
                 group.wait();
               }),
               message);
}

INSTANTIATE_TEST_SUITE_P(all, foreign,
                         testing::Values(way{"exit", exit_thread}, way{"cancel", cancel_thread},
                                         way{"language", throw_of_another_language}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(foreign_exception, passes_within_a_task) {
  runtime rt({.workers = 2});
  rt.run([] {
    int passed = 0;
    struct counts {
      ~counts() { ++*of; }
      int* of;
    };
    for (int round = 0; round < 10; ++round) {
      try {
        const counts guard{&passed};
        throw_of_another_language();
      } catch (...) {
        task_group group;
        group.run([] { std::this_thread::yield(); });
        group.wait();
      }
    }
    EXPECT_EQ(passed, 10);
  });
}

/// A thread that waits for a root or a group is cancelled. It must first wait, because the tasks use its stack.
template <class F>
void cancelled_while_it_waits(F wait_for) {
  struct state {
    F wait_for;
    std::atomic<int> here{0};
    std::atomic<bool> came_back{false};
  } shared{wait_for};
  pthread_t waiter{};
  ASSERT_EQ(pthread_create(
                &waiter, nullptr,
                [](void* with) -> void* {
                  auto& all = *static_cast<state*>(with);
                  all.wait_for([&all] {
                    meet(all.here, 2);
                    // Long enough for a thread that can be cancelled to notice.
                    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
                    meet(all.here, 3);
                  });
                  all.came_back = true;
                  for (;;) pthread_testcancel();
                },
                &shared),
            0);
  meet(shared.here, 2);
  pthread_cancel(waiter);
  ++shared.here;
  void* how = nullptr;
  ASSERT_EQ(pthread_join(waiter, &how), 0);
  EXPECT_EQ(how, PTHREAD_CANCELED);
  EXPECT_TRUE(shared.came_back);
}

TEST(cancelled, a_thread_waits_for_its_root_first) {
  runtime rt({.workers = 2});
  cancelled_while_it_waits([&](auto task) { rt.run(task); });
}

TEST(cancelled, a_thread_waits_for_its_group_first) {
  cancelled_while_it_waits([](auto task) {
    task_group group;
    group.run(task);
    group.wait();
  });
}

/// Destructors call these, which must not throw. Each starts the default runtime or new places.
TEST(cancelled, a_thread_first_ends_what_it_has_begun) {
  static constexpr void (*calls[])() = {
      [] { jackdaw::isolate([] {}); },
      [] { jackdaw::for_index(0, 100, [](int) {}, jackdaw::grain{1}); },
      [] { jackdaw::async([] { std::this_thread::yield(); }).get(); },
      [] { jackdaw::arena().run([] {}); },
      [] { runtime rt({.workers = 2, .pin = false}); },
      [] { jackdaw::async([] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }).wait(); },
      [] {
        jackdaw::semaphore slot(1);
        slot.acquire();
      },
  };
  for (const bool starts : {true, false}) {
    for (std::size_t i = 0; i < std::size(calls); ++i) {
      jackdaw::shutdown();
      if (!starts) jackdaw::for_index(0, 100, [](int) {}, jackdaw::grain{1});
      struct state {
        void (*call)();
        bool ended = false;
      } one{calls[i]};
      pthread_t caller{};
      ASSERT_EQ(pthread_create(
                    &caller, nullptr,
                    [](void* with) -> void* {
                      auto& its = *static_cast<state*>(with);
                      pthread_cancel(pthread_self());
                      its.call();
                      jackdaw::shutdown();
                      its.ended = true;
                      for (;;) pthread_testcancel();
                    },
                    &one),
                0);
      void* how = nullptr;
      ASSERT_EQ(pthread_join(caller, &how), 0);
      EXPECT_EQ(how, PTHREAD_CANCELED);
      EXPECT_TRUE(one.ended) << "call " << i << (starts ? ", which starts the runtime" : "");
    }
  }
}

}  // namespace
