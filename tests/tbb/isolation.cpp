// What isolated code may rely on: its thread runs nothing but what that code has forked, wherever other tasks wait.
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "tbb/chapter.hpp"

namespace {

using chapter::pass;
using chapter::say;
using namespace std::chrono_literals;

/// Whether the calling thread is in isolated code. Read anew each time: a task may go on on another thread.
[[gnu::noinline]] bool& is_isolated() {
  thread_local bool is = false;
  asm volatile("");
  return is;
}

/// Calls isolated code that waits for others' threads.
void isolate_and_wait() {
  is_isolated() = true;
  tbb::this_task_arena::isolate([] {
    const std::thread::id here = std::this_thread::get_id();
    const auto leaf = [&](int) { pass(std::this_thread::get_id() == here ? 50us : 1000us); };
    tbb::parallel_for(0, 4, leaf, tbb::simple_partitioner());
  });
  is_isolated() = false;
}

/// Threads that are no workers send tasks meanwhile.
void tasks_from_outside() {
  std::atomic<bool> stops{false};
  std::atomic<int> wrong{0}, ran{0};
  int sent = 0;
  std::thread sender([&] {
    tbb::task_group group;
    for (; !stops; ++sent) {
      group.run([&] {
        if (is_isolated()) ++wrong;
        ++ran;
      });
      pass(20us);
    }
    group.wait();
  });
  for (int round = 0; round < 20; ++round) {
    tbb::parallel_for(0, 2, [](int) { isolate_and_wait(); }, tbb::simple_partitioner());
  }
  stops = true;
  sender.join();
  CHECK(ran == sent);
  say("isolated tasks that run others'", wrong);
}

/// The thread that isolates is no worker, while workers have tasks that nobody waits for yet.
void threads_from_outside() {
  std::atomic<int> wrong{0};
  const std::thread::id outside = std::this_thread::get_id();
  const auto rounds = [&] {
    for (int round = 0; round < 20; ++round) {
      tbb::task_group group;
      std::atomic<int> here{0};
      const auto leave_some = [&](int) {
        ++here;
        for (int i = 0; here < 2 && i < 20; ++i) pass(100us);
        if (std::this_thread::get_id() == outside) return;
        for (int i = 0; i < 60; ++i) {
          group.run([&] {
            if (is_isolated()) ++wrong;
            pass(50us);
          });
        }
      };
      tbb::parallel_for(0, 2, leave_some, tbb::simple_partitioner());
      isolate_and_wait();
      group.wait();
    }
  };
  rounds();
  tbb::task_arena(4).execute(rounds);
  say("isolated threads that run others'", wrong);
}

/// Tasks that isolated code leaves behind run neither within the next isolated code nor with the index of a thread that
/// still has it.
void left_behind() {
  std::atomic<int> wrong{0}, ran{0};
  const auto rounds = [&] {
    std::vector<std::atomic<bool>> used(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
    const auto use_index = [&] {
      const int at = tbb::this_task_arena::current_thread_index();
      CHECK(at >= 0 && at < static_cast<int>(used.size()));
      CHECK(!used[static_cast<std::size_t>(at)].exchange(true));
      pass(20us);
      used[static_cast<std::size_t>(at)] = false;
    };
    for (int round = 0; round < 5; ++round) {
      tbb::task_group group;
      const auto leave = [&](int) {
        tbb::this_task_arena::isolate([&] {
          for (int i = 0; i < 5; ++i) {
            group.run([&] {
              if (is_isolated()) ++wrong;
              use_index();
              ++ran;
            });
          }
        });
        use_index();
        isolate_and_wait();
      };
      tbb::parallel_for(0, 20, leave, tbb::simple_partitioner());
      group.wait();
    }
  };
  rounds();
  tbb::task_arena(2).execute(rounds);
  say("left behind by isolated tasks", ran);
  say("that run within others", wrong);
}

/// More than a deque has room for, with a task that is suspended meanwhile, and left behind.
void many() {
  std::atomic<int> ran{0};
  tbb::task_group left, helpers;
  tbb::parallel_for(0, 2, [&](int) {
    tbb::this_task_arena::isolate([&] {
      tbb::task_group group;
      for (int i = 0; i < 30000; ++i) group.run([&] { ++ran; });
      group.wait();
    });
    tbb::this_task_arena::isolate([&] {
      tbb::task_group group;
      group.run([&] {
        tbb::task::suspend([&](tbb::task::suspend_point at) { helpers.run([at] { tbb::task::resume(at); }); });
        for (int i = 0; i < 30000; ++i) group.run([&] { ++ran; });
      });
      group.wait();
    });
    tbb::this_task_arena::isolate([&] {
      for (int i = 0; i < 30000; ++i) left.run([&] { ++ran; });
    });
  });
  left.wait();
  helpers.wait();
  say("many isolated tasks", ran);
}

}  // namespace

int main() {
  tasks_from_outside();
  threads_from_outside();
  left_behind();
  many();
  chapter::tell_who_ran();
}
