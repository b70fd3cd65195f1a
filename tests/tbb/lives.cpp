// How programs begin and end around the scheduler: resumable tasks, threads that come and go, forks, static objects.
#include <sys/wait.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task.h>
#include <tbb/task_group.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "tbb/chapter.hpp"

namespace {

using chapter::say;

int sum_to(int n) {
  return tbb::parallel_reduce(
      tbb::blocked_range<int>(0, n), 0,
      [](const auto& part, int so_far) {
        for (int i = part.begin(); i < part.end(); ++i) so_far += i;
        return so_far;
      },
      std::plus<>());
}

/// Loops before main and after it.
struct global {
  global() { CHECK(sum_to(1000) == 499500); }
  ~global() {
    CHECK(sum_to(1000) == 499500);
    say("after main", sum_to(100));
  }
} around_main;

void resumable() {
  std::atomic<int> resumed{0}, started{0};
  std::vector<std::thread> helpers(40);
  tbb::parallel_for(0, 40, [&](int i) {
    tbb::task::suspend([&, i](tbb::task::suspend_point at) {
      helpers[static_cast<std::size_t>(i)] = std::thread([at] { tbb::task::resume(at); });
      ++started;  // the task may have gone on already
    });
    ++resumed;
    sum_to(100);
  });
  while (started != 40) std::this_thread::yield();
  for (std::thread& each : helpers) each.join();
  // Resumed by another task, or at once.
  tbb::task_group group;
  std::atomic<tbb::task::suspend_point> where{nullptr};
  group.run([&] {
    tbb::task::suspend([&](tbb::task::suspend_point at) { where = at; });
    ++resumed;
  });
  group.run([&] {
    while (where.load() == nullptr) std::this_thread::yield();
    tbb::task::resume(where);
  });
  group.wait();
  tbb::parallel_for(0, 100, [&](int) {
    tbb::task::suspend([](tbb::task::suspend_point at) { tbb::task::resume(at); });
    ++resumed;
  });
  say("resumed", resumed);
}

void threads() {
  std::atomic<long long> sum{0};
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> clients;
    for (int t = 0; t < 5; ++t) clients.emplace_back([&] { sum += sum_to(5000); });
    for (std::thread& each : clients) each.join();
  }
  say("threads that come and go", sum);
}

void forks() {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    if (sum_to(1000) != 499500) _exit(1);
    tbb::task_group group;
    std::atomic<int> ran{0};
    for (int i = 0; i < 100; ++i) group.run([&] { ++ran; });
    group.wait();
    _exit(ran == 100 ? 7 : 1);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  say("in the child of a fork", WEXITSTATUS(status));
}

/// Tasks that nobody has waited for yet when their spawner's loop ends, and that wait themselves.
void left_behind() {
  std::atomic<int> ran{0};
  tbb::task_group group;
  for (int round = 0; round < 200; ++round) {
    group.run([&] {
      sum_to(50);
      group.run([&] {
        sum_to(50);
        ++ran;
      });
    });
    sum_to(200);
  }
  group.wait();
  say("left behind", ran);
}

}  // namespace

int main(int count, char** arguments) {
  resumable();
  threads();
  left_behind();
  // oneTBB has no workers in the child of a fork().
  if (count > 1 && arguments[1] == std::string("forks")) forks();
  chapter::tell_who_ran();
}
