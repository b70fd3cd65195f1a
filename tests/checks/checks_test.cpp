// The checks find what a task holds while it is suspended, or when it resumes elsewhere, and ignore what it holds at
// other times. This program is linked with libjackdaw-checks.so.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "checks/join_elsewhere.hpp"
#include "jackdaw/jackdaw.hpp"
#include "runtime/two_workers.hpp"

namespace {

using jackdaw::runtime;
using jackdaw::task_group;
using jackdaw::test::join_elsewhere;
using jackdaw::test::meet;

const std::vector<std::string> schedulers{"random", "hierarchical", "adws", "constrained"};

template <class F>
void on_two_workers(const std::string& scheduler, F f) {
  runtime rt({.scheduler = scheduler, .workers = 2});
  rt.run(f);
}

/// A group whose child is running while its parent continues on the other worker.
template <class F>
void with_the_parent_moved(F held) {
  std::atomic<int> here{0};
  task_group group;
  {
    [[maybe_unused]] const auto hold = held();
    group.run([&] { meet(here, 2); });
    meet(here, 2);
  }
  group.wait();
}

std::string left(const std::string& what) {
  return "jackdaw-checks: a task holds " + what + " 0x[0-9a-f]+ while its thread goes on with other tasks";
}
std::string moved(const std::string& what) {
  return "jackdaw-checks: a task holds " + what +
         " 0x[0-9a-f]+ and resumes on a different thread from the one that locked it";
}

// ---- what is found -------------------------------------------------------------------------------------------------

[[gnu::noinline]] void lock_and_join() {
  std::mutex mutex;
  const std::lock_guard hold(mutex);
  join_elsewhere();
}

TEST(checks_death, a_mutex_across_an_invoke_that_suspends) {
  for (const std::string& each : schedulers) {
    EXPECT_DEATH(on_two_workers(each, [] { lock_and_join(); }),
                 left("a mutex") + ".*locked in .*lock_and_join.*suspended in .*docs/forks.md");
  }
}

TEST(checks_death, a_mutex_across_a_wait) {
  EXPECT_DEATH(on_two_workers("random",
                              [] {
                                std::mutex mutex;
                                std::atomic<int> here{0};
                                task_group group;
                                group.run([&] {
                                  meet(here, 2);
                                  join_elsewhere();  // once the parent waits
                                });
                                meet(here, 2);
                                const std::unique_lock hold(mutex);
                                group.wait();
                              }),
               left("a mutex"));
}

TEST(checks_death, a_mutex_of_a_caller_of_the_function_that_joins) {
  EXPECT_DEATH(on_two_workers("random",
                              [] {
                                std::recursive_mutex mutex;
                                const std::scoped_lock outer(mutex);
                                const std::scoped_lock inner(mutex);
                                jackdaw::invoke([] { join_elsewhere(); }, [] {});
                              }),
               left("a mutex"));
}

TEST(checks_death, a_mutex_locked_by_try_lock) {
  EXPECT_DEATH(on_two_workers("random",
                              [] {
                                std::timed_mutex mutex;
                                const std::unique_lock hold(mutex, std::chrono::hours(1));
                                join_elsewhere();
                              }),
               left("a mutex"));
  EXPECT_DEATH(on_two_workers("random",
                              [] {
                                std::mutex mutex;
                                const std::unique_lock hold(mutex, std::try_to_lock);
                                join_elsewhere();
                              }),
               left("a mutex"));
}

TEST(checks_death, a_mutex_that_a_condition_variable_has_locked_again) {
  EXPECT_DEATH(on_two_workers("random",
                              [] {
                                std::mutex mutex;
                                std::condition_variable changed;
                                bool done = false;
                                std::thread other([&] {
                                  const std::lock_guard hold(mutex);
                                  done = true;
                                  changed.notify_one();
                                });
                                std::unique_lock hold(mutex);
                                changed.wait(hold, [&] { return done; });
                                join_elsewhere();
                                other.join();
                              }),
               left("a mutex"));
}

TEST(checks_death, a_shared_mutex_either_way) {
  EXPECT_DEATH(on_two_workers("random",
                              [] {
                                std::shared_mutex mutex;
                                const std::unique_lock hold(mutex);
                                join_elsewhere();
                              }),
               left("a shared mutex"));
  EXPECT_DEATH(on_two_workers("random",
                              [] {
                                std::shared_mutex mutex;
                                const std::shared_lock hold(mutex);
                                join_elsewhere();
                              }),
               left("a shared mutex \\(for reading\\)"));
}

TEST(checks_death, a_spin_lock) {
  EXPECT_DEATH(on_two_workers("random",
                              [] {
                                pthread_spinlock_t lock;
                                pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
                                pthread_spin_lock(&lock);
                                join_elsewhere();
                              }),
               left("a spin lock"));
}

TEST(checks_death, a_parent_that_resumes_on_another_thread) {
  std::mutex mutex;
  EXPECT_DEATH(on_two_workers("random", [&] { with_the_parent_moved([&] { return std::unique_lock(mutex); }); }),
               moved("a mutex") + ".*locked in .*moved after ");
  std::shared_mutex shared;
  EXPECT_DEATH(on_two_workers("random", [&] { with_the_parent_moved([&] { return std::shared_lock(shared); }); }),
               moved("a shared mutex \\(for reading\\)"));
}

TEST(checks_death, a_parent_whose_child_is_suspended) {
  // Both workers run the child's parts, so that one of them resumes the parent only later, if at all.
  EXPECT_DEATH(on_two_workers("random",
                              [] {
                                std::mutex mutex;
                                task_group group;
                                {
                                  const std::lock_guard hold(mutex);
                                  group.run([] { join_elsewhere(); });
                                }
                                group.wait();
                              }),
               left("a mutex") + "|" + moved("a mutex"));
}

[[gnu::noinline]] int forking_static() {
  static const int made = [] {
    join_elsewhere();
    return 3;
  }();
  return made;
}

TEST(checks_death, an_initialiser_that_is_suspended) {
  EXPECT_DEATH(on_two_workers("random", [] { forking_static(); }),
               left("the guard of a static variable") + ".*begun in .*forking_static.*docs/forks.md");
}

TEST(checks_death, a_call_once_that_is_suspended) {
  EXPECT_DEATH(on_two_workers("random",
                              [] {
                                std::once_flag flag;
                                std::call_once(flag, [] { join_elsewhere(); });
                              }),
               left("a once_flag"));
}

TEST(checks_death, a_mutex_held_while_a_task_of_another_runtime_runs) {
  EXPECT_DEATH(
      {
        runtime other({.workers = 1});
        on_two_workers("random", [&] {
          std::mutex mutex;
          const std::lock_guard hold(mutex);
          other.run([] {});
        });
      },
      left("a mutex"));
}

TEST(checks_report, lets_the_program_continue_on_request) {
  EXPECT_EXIT(
      {
        setenv("JACKDAW_CHECKS", "report", 1);
        on_two_workers("random", [] {
          for (int i = 0; i < 3; ++i) {
            lock_and_join();
          }
        });
        std::exit(4);
      },
      testing::ExitedWithCode(4), left("a mutex"));
}

TEST(checks_death, every_fork_with_a_lock_held_when_tasks_move) {
  EXPECT_DEATH(
      {
        setenv("JACKDAW_MOVE", "1", 1);
        runtime rt({.scheduler = "random", .workers = 1});
        rt.run([] {
          std::mutex mutex;
          const std::lock_guard hold(mutex);
          jackdaw::invoke([] {}, [] {});
        });
      },
      left("a mutex"));
  EXPECT_DEATH(
      {
        setenv("JACKDAW_MOVE", "1", 1);
        runtime rt({.scheduler = "random", .workers = 1});
        rt.run([] {
          std::mutex mutex;
          task_group group;
          {
            const std::lock_guard hold(mutex);
            group.run([] {});
          }
          group.wait();
        });
      },
      left("a mutex"));
}

// ---- what is right -------------------------------------------------------------------------------------------------

int leaf_static() {
  static const std::string made("without a fork");
  return static_cast<int>(made.size());
}

int throwing_static(bool throws) {
  static const int made = throws ? throw std::runtime_error("not yet") : 3;
  return made;
}

class checks : public testing::TestWithParam<std::string> {
 protected:
  runtime rt{{.scheduler = GetParam(), .workers = 2}};
};

TEST_P(checks, ignore_locks_between_forks) {
  std::mutex mutex;
  std::shared_mutex shared;
  std::recursive_mutex recursive;
  long sum = 0;
  rt.run([&] {
    for (int round = 0; round < 20; ++round) {
      {
        const std::lock_guard before(mutex);
      }
      join_elsewhere();
      const std::unique_lock after(shared);
    }
    jackdaw::for_index(
        0, 2000,
        [&](std::size_t) {
          const std::shared_lock reads(shared);
          const std::scoped_lock both(mutex, recursive);
          const std::scoped_lock again(recursive);
          sum += leaf_static() != 0 ? 1 : 0;
        },
        jackdaw::grain{1});
  });
  EXPECT_EQ(sum, 2000);
}

TEST_P(checks, ignore_locks_of_children_and_of_parents_that_have_unlocked) {
  rt.run([&] {
    std::mutex mutex;
    std::atomic<int> here{0};
    task_group group;
    std::unique_lock hold(mutex);
    hold.unlock();
    group.run([&] {
      const std::lock_guard of_child(mutex);
      meet(here, 2);
    });
    meet(here, 2);
    const std::lock_guard of_parent(mutex);  // once the child has unlocked it
  });
  rt.run([] { with_the_parent_moved([] { return 0; }); });
}

TEST_P(checks, ignore_locks_of_a_thread_that_waits_for_a_root) {
  std::mutex mutex;
  std::shared_mutex shared;
  const std::lock_guard hold(mutex);
  const std::shared_lock reads(shared);
  rt.run([&] {
    {
      const std::shared_lock also(shared);
    }
    join_elsewhere();
  });
}

TEST_P(checks, ignore_a_fork_that_is_not_stolen) {
  runtime alone({.scheduler = "random", .workers = 1});
  alone.run([] {
    std::mutex mutex;
    const std::lock_guard hold(mutex);
    jackdaw::invoke([] {}, [] {});
    task_group group;
    group.run([] {});
    group.wait();
  });
}

TEST_P(checks, ignore_initialisers_that_do_not_fork) {
  rt.run([&] {
    std::once_flag flag;
    EXPECT_THROW(std::call_once(flag, [] { throw std::runtime_error("not yet"); }), std::runtime_error);
    std::call_once(flag, [] {});
    try {
      throwing_static(true);
    } catch (const std::runtime_error&) {
      EXPECT_EQ(throwing_static(false), 3);
    }
    join_elsewhere();
  });
}

TEST_P(checks, ignore_a_lock_of_a_task_that_has_ended) {
  // One worker, so that the thread is the same: an odd program, but a correct one.
  runtime alone({.scheduler = GetParam(), .workers = 1});
  std::mutex mutex;
  alone.run([&] { mutex.lock(); });
  alone.run([&] {
    mutex.unlock();
    jackdaw::invoke([] {}, [] {});
  });
  std::thread([&] { EXPECT_TRUE(mutex.try_lock()), mutex.unlock(); }).join();
}

INSTANTIATE_TEST_SUITE_P(, checks, testing::ValuesIn(schedulers),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

}  // namespace
