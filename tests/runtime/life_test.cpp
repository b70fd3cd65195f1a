#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <latch>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/error.hpp"
#include "jackdaw/jackdaw.hpp"
#include "support/error_of.hpp"
#include "support/fib.hpp"

namespace {

using jackdaw::runtime;
using jackdaw::test::fib;

std::ptrdiff_t threads_now() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

/// Ended threads leave that folder a little later than they are joined.
bool becomes(std::ptrdiff_t wanted) {
  for (int tries = 0; tries < 100'000; ++tries) {
    if (threads_now() == wanted) return true;
    std::this_thread::yield();
  }
  return false;
}

// ---- senders while a runtime ends ----------------------------------------------------------------------------------

TEST(ending, each_root_is_run_or_refused) {
  alignas(runtime) static std::byte memory[sizeof(runtime)];  // outlives the runtimes in it
  std::atomic<std::uint64_t> run{0};
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> refused{0};
  for (int round = 0; round < 40; ++round) {
    auto* const rt = new (memory) runtime({.workers = 1 + static_cast<unsigned>(round) % 3});
    std::latch all_send(4);
    std::vector<std::thread> senders;
    for (int i = 0; i < 4; ++i) {
      senders.emplace_back([&] {
        for (bool first = true;; first = false) {
          try {
            rt->run([&] {
              ++run;
              if (fib(5) != 5) std::abort();
            });
            ++done;
          } catch (const jackdaw::error& what) {
            ++refused;
            EXPECT_TRUE(std::string(what.what()).starts_with("this runtime ")) << what.what();
            return;
          }
          if (first) all_send.count_down();
        }
      });
    }
    all_send.wait();
    rt->~runtime();
    for (std::thread& each : senders) each.join();
  }
  EXPECT_EQ(run, done);
  EXPECT_EQ(refused, 40u * 4);
}

TEST(ending, waits_for_a_root_under_way) {
  std::latch begun(1);
  std::latch ending(1);
  std::atomic<bool> ended{false};
  auto rt = std::make_unique<runtime>(jackdaw::options{.workers = 2});
  runtime& sent_to = *rt;
  std::thread sender([&] {
    sent_to.run([&] {
      begun.count_down();
      ending.wait();
      fib(15);
      ended = true;
    });
  });
  begun.wait();
  std::thread waker([&] { ending.count_down(); });
  rt.reset();
  EXPECT_TRUE(ended);
  sender.join();
  waker.join();
}

TEST(ending, using_an_ended_runtime_is_reported) {
  alignas(runtime) static std::byte memory[sizeof(runtime)];
  auto* const rt = new (memory) runtime({.workers = 1});
  rt->run([] {});
  rt->~runtime();
  EXPECT_EQ(jackdaw::error_of([&] { rt->run([] {}); }), "this runtime has ended");
}

TEST(ending_death, by_a_task_of_its_own_is_reported) {
  EXPECT_DEATH(
      {
        auto* const rt = new runtime({.workers = 1});
        rt->run([&] { delete rt; });
      },
      "a runtime was ended by one of its own tasks");
}

// ---- the default runtime -------------------------------------------------------------------------------------------

TEST(shutdown, leaves_no_thread_and_starts_anew) {
  jackdaw::shutdown();  // of nothing, or of what the test before has left
  const std::ptrdiff_t before = threads_now();
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(fib(12), 144u);
    EXPECT_GT(threads_now(), before);
    jackdaw::shutdown();
    EXPECT_TRUE(becomes(before));
  }
}

TEST(shutdown, leaves_references_to_the_default_runtime_good) {
  runtime& rt = runtime::instance();
  jackdaw::shutdown();
  EXPECT_EQ(rt.run([] { return fib(10); }), 55u);
  EXPECT_EQ(&rt, &runtime::instance());
  jackdaw::shutdown();
  EXPECT_GE(rt.workers(), 1u);
}

TEST(shutdown, is_refused_in_a_task) {
  EXPECT_TRUE(jackdaw::error_of([] {
                runtime::instance().run([] { jackdaw::shutdown(); });
              }).starts_with("jackdaw::shutdown was called by a task"));
  runtime rt({.workers = 1});
  EXPECT_TRUE(jackdaw::error_of([&] { rt.run([] { jackdaw::shutdown(); }); }).starts_with("jackdaw::shutdown was"));
}

TEST(shutdown, does_not_disturb_forks) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> senders;
  for (int i = 0; i < 4; ++i) {
    senders.emplace_back([&, i] {
      while (!stop) {
        if (i % 2 == 0) {
          EXPECT_EQ(fib(8), 21u);
        } else {
          std::atomic<int> sum{0};
          jackdaw::task_group group;
          for (int k = 0; k < 3; ++k) group.run([&] { ++sum; });
          group.wait();
          EXPECT_EQ(sum, 3);
        }
      }
    });
  }
  for (int round = 0; round < 30; ++round) jackdaw::shutdown();
  stop = true;
  for (std::thread& each : senders) each.join();
}

TEST(shutdown, does_not_disturb_queries_of_the_runtime) {
  std::atomic<bool> stop{false};
  runtime& shared = runtime::instance();
  std::vector<std::thread> ask;
  for (int i = 0; i < 3; ++i) {
    ask.emplace_back([&] {
      while (!stop) {
        EXPECT_GT(shared.workers(), 0u);
        EXPECT_FALSE(shared.scheduler().empty());
        EXPECT_EQ(shared.stats().in_place, 0u);
        EXPECT_EQ(shared.data().failed, 0u);
        (void)shared.profiled_by();
        (void)&shared.place(0);
        shared.reset_stats();
      }
    });
  }
  for (int i = 0; i < 300; ++i) {
    jackdaw::shutdown();
    if (i % 3 == 0) (void)shared.workers();
  }
  stop = true;
  for (std::thread& each : ask) each.join();
}

TEST(shutdown, does_not_block_threads_that_its_last_tasks_wait_for) {
  std::latch begun(1);
  std::atomic<bool> shutting{false};
  std::thread sender([&] {
    runtime::instance().run([&] {
      begun.count_down();
      while (!shutting) std::this_thread::yield();
      // Holds whatever shutdown() has done meanwhile.
      for (int i = 0; i < 100; ++i) std::this_thread::yield();
      std::thread([] { EXPECT_EQ(fib(10), 55u); }).join();
    });
  });
  begun.wait();
  shutting = true;
  jackdaw::shutdown();
  sender.join();
}

#if !defined(JACKDAW_ASAN) && !defined(JACKDAW_TSAN)
TEST(shutdown, gives_fault_handlers_back) {
  const auto handler_of = [](int signal) {
    struct sigaction now{};
    sigaction(signal, nullptr, &now);
    return now.sa_handler;
  };
  jackdaw::shutdown();
  EXPECT_EQ(handler_of(SIGSEGV), SIG_DFL);
  {
    const runtime rt({.workers = 1});
    fib(5);
    jackdaw::shutdown();
    EXPECT_NE(handler_of(SIGSEGV), SIG_DFL);
    EXPECT_NE(handler_of(SIGBUS), SIG_DFL);
  }
  EXPECT_EQ(handler_of(SIGSEGV), SIG_DFL);
  EXPECT_EQ(handler_of(SIGBUS), SIG_DFL);
}

std::atomic<int> faults{0};
struct sigaction under_mine;

TEST(shutdown, leaves_an_earlier_handler_in_place) {
  auto first = std::make_optional<runtime>(jackdaw::options{.workers = 1});
  struct sigaction mine{};
  mine.sa_flags = SA_SIGINFO;
  mine.sa_sigaction = [](int signal, siginfo_t* info, void* context) {
    if (++faults > 2) _exit(3);
    under_mine.sa_sigaction(signal, info, context);
  };
  ASSERT_EQ(sigaction(SIGBUS, &mine, &under_mine), 0);
  first.reset();
  struct sigaction now{};
  sigaction(SIGBUS, nullptr, &now);
  EXPECT_EQ(now.sa_sigaction, mine.sa_sigaction);
  const runtime second({.workers = 1});
  EXPECT_EXIT(raise(SIGBUS), testing::KilledBySignal(SIGBUS), "");
}
#endif

// ---- exit
// ------------------------------------------------------------------------------------------------------------

runtime& static_runtime() {
  static runtime only({.workers = 2});
  return only;
}

TEST(exit_death, in_a_task_of_a_static_runtime) {
  EXPECT_EXIT(static_runtime().run([] { std::exit(7); }), testing::ExitedWithCode(7), "^$");
}

TEST(exit_death, in_a_task_of_the_default_runtime) {
  EXPECT_EXIT(runtime::instance().run([] { std::exit(7); }), testing::ExitedWithCode(7), "^$");
}

TEST(exit_death, in_a_task_below_a_task_of_another_static_runtime) {
  EXPECT_EXIT(
      {
        static runtime inner({.workers = 2});
        static_runtime().run([] { inner.run([] { std::exit(7); }); });
      },
      testing::ExitedWithCode(7), "^$");
}

TEST(exit_death, quickly) {
  EXPECT_EXIT(static_runtime().run([] { std::quick_exit(7); }), testing::ExitedWithCode(7), "^$");
}

TEST(exit_death, on_another_thread_while_roots_are_under_way_and_are_sent) {
  EXPECT_EXIT(
      {
        std::latch begun(2);
        std::thread([&] {
          static_runtime().run([&] {
            begun.count_down();
            for (;;) fib(5);
          });
        }).detach();
        std::thread([&] {
          static_runtime().run([] { fib(5); });
          begun.count_down();
          for (;;) {
            static_runtime().run([] { fib(5); });
            fib(5);
          }
        }).detach();
        begun.wait();
        std::exit(7);
      },
      testing::ExitedWithCode(7), "^$");
}

TEST(exit_death, while_a_thread_waits_for_a_group) {
  EXPECT_EXIT(
      {
        std::latch begun(1);
        std::thread([&] {
          jackdaw::task_group group;
          group.run([&] {
            begun.count_down();
            for (;;) fib(5);
          });
          group.wait();
        }).detach();
        begun.wait();
        std::exit(7);
      },
      testing::ExitedWithCode(7), "^$");
}

struct forks_when_destroyed {
  ~forks_when_destroyed() {
    if (used && fib(12) != 144) _exit(9);
  }
  bool used = false;
};

TEST(exit_death, a_static_object_may_shut_down_a_runtime_whose_task_called_exit) {
  struct cleans_up {
    ~cleans_up() { jackdaw::shutdown(); }
  };
  EXPECT_EXIT(
      {
        static const cleans_up at_the_end;
        runtime::instance().run([] { std::exit(7); });
      },
      testing::ExitedWithCode(7), "^$");
}

TEST(exit_death, static_objects_may_fork_while_they_are_destroyed) {
  EXPECT_EXIT(
      {
        static forks_when_destroyed older;
        older.used = true;
        static_runtime().run([] {});
        fib(5);
        static forks_when_destroyed younger;
        younger.used = true;
        std::exit(7);
      },
      testing::ExitedWithCode(7), "^$");
}

}  // namespace
