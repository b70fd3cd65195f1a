// soak SECONDS [SCHEDULER...]: eight clients send mixed roots to one runtime after another, of 1 to 16 workers, under
// each scheduler in turn. Every result is checked, what the process holds of the system must not grow, and a hang ends
// with where each worker is. Exit status 1 and a line for what was wrong.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "soak/usage.hpp"
#include "support/watchdog.hpp"

namespace {

using clock = std::chrono::steady_clock;
using jackdaw::runtime;
using jackdaw::soak::usage;
using dice = std::mt19937;

constexpr unsigned clients = 8;

struct expected_failure {};

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "soak: wrong: %s\n", what);
    std::_Exit(1);
  }
}

std::uint64_t fib(unsigned n) {
  if (n < 2) return n;
  auto [a, b] = jackdaw::invoke([&] { return fib(n - 1); }, [&] { return fib(n - 2); });
  return a + b;
}

/// Leaves of an uneven tree, grown by groups of all kinds.
std::uint64_t leaves(std::uint64_t seed, unsigned depth) {
  if (depth == 0) return 1;
  dice drawn(static_cast<unsigned>(seed));
  const unsigned children = 1 + drawn() % 5;
  std::vector<std::uint64_t> sums(children);
  jackdaw::task_group group(drawn() % 2 == 0 ? jackdaw::policy::help_first : jackdaw::policy::work_first);
  for (unsigned i = 0; i < children; ++i) {
    const auto grow = [&sums, seed, depth, i] { sums[i] = leaves(seed * 31 + i, depth - 1); };
    drawn() % 4 == 0 ? group.inter_spawn(grow) : group.run(grow, drawn() % 8);
  }
  group.wait();
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

std::uint64_t leaves_serially(std::uint64_t seed, unsigned depth) {
  if (depth == 0) return 1;
  dice drawn(static_cast<unsigned>(seed));
  const unsigned children = 1 + drawn() % 5;
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < children; ++i) sum += leaves_serially(seed * 31 + i, depth - 1);
  return sum;
}

/// One child of many fails: the first error comes out, what has not started is skipped, and the group can be used
/// again.
void failing_group(dice& drawn) {
  std::atomic<unsigned> ran{0};
  jackdaw::task_group group(drawn() % 2 == 0 ? jackdaw::policy::help_first : jackdaw::policy::work_first);
  const unsigned bad = drawn() % 40;
  for (unsigned i = 0; i < 40; ++i) {
    group.run([&ran, i, bad] {
      ++ran;
      if (i == bad) throw expected_failure();
    });
  }
  bool failed = false;
  try {
    group.wait();
  } catch (const expected_failure&) {
    failed = true;
  }
  require(failed && ran.load() <= 40, "a group lost an exception");
  group.run([&ran] { ran = 100; });
  group.wait();
  require(ran.load() == 100, "a group could not be used again");
}

/// Forks in a destructor during unwinding, and below a handler that goes on throwing.
void forks_while_unwinding() {
  struct forks_at_its_end {
    ~forks_at_its_end() {
      const int before = std::uncaught_exceptions();
      jackdaw::task_group group;
      std::atomic<unsigned> ran{0};
      for (unsigned i = 0; i < 8; ++i) group.run([&ran] { ++ran; });
      group.wait();
      require(ran.load() == 8 && std::uncaught_exceptions() == before, "forks in a destructor");
    }
  };
  bool caught = false;
  try {
    try {
      const forks_at_its_end guard;
      throw expected_failure();
    } catch (...) {
      require(fib(12) == 144, "fib in a handler");
      leaves(7, 3);
      throw;
    }
  } catch (const expected_failure&) {
    caught = true;
  }
  require(caught && std::uncaught_exceptions() == 0, "a rethrown exception");
}

void algorithms(dice& drawn) {
  std::vector<std::uint64_t> xs(1 + drawn() % 20'000);
  jackdaw::for_index(0, xs.size(), [&](std::size_t i) { xs[i] = i * 2654435761u % 100'003; });
  const std::uint64_t sum = std::accumulate(xs.begin(), xs.end(), std::uint64_t{0});
  require(jackdaw::reduce(xs.begin(), xs.end(), std::uint64_t{0}) == sum, "reduce");
  jackdaw::sort(xs.begin(), xs.end());
  require(std::is_sorted(xs.begin(), xs.end()), "sort");
  require(std::accumulate(xs.begin(), xs.end(), std::uint64_t{0}) == sum, "sort lost something");
}

/// The child makes and ends runtimes of its own, uses its parent's, and goes.
void forked_child(runtime& rt) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    const bool right =
        rt.run([] { return fib(10); }) == 55 && runtime({.workers = 2}).run([] { return fib(10); }) == 55;
    _exit(right ? 0 : 3);
  }
  int status = 0;
  require(child > 0 && waitpid(child, &status, 0) == child, "fork");
  require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child of a fork");
}

void one_root(runtime& rt, runtime& other, dice& drawn) {
  switch (drawn() % 10) {
    case 0:
      require(rt.run([] { return fib(15); }) == 610, "fib");
      break;
    case 1:
    case 2: {
      const std::uint64_t seed = drawn();
      require(rt.run([&] { return leaves(seed, 6); }) == leaves_serially(seed, 6), "a tree");
      break;
    }
    case 3:
      rt.run([&] { failing_group(drawn); });
      break;
    case 4:
      rt.run(&forks_while_unwinding);
      break;
    case 5:
      rt.run([&] { algorithms(drawn); });
      break;
    case 6:
      require(rt.run([&] { return other.run([&] { return rt.run([] { return fib(8); }); }); }) == 21,
              "between runtimes");
      break;
    case 7: {
      bool thrown = false;
      try {
        rt.run([] { jackdaw::invoke([] { fib(6); }, [] { throw expected_failure(); }, [] { fib(7); }); });
      } catch (const expected_failure&) {
        thrown = true;
      }
      require(thrown, "a root lost an exception");
      break;
    }
    case 8: {
      const auto until = clock::now() + std::chrono::microseconds(drawn() % 3000);
      rt.run([&] {
        while (clock::now() < until) {
        }
      });
      break;
    }
    default:
      rt.run([] {});
  }
}

/// One runtime's life.
void live(const std::string& scheduler, unsigned workers, clock::duration for_long, unsigned seed) {
  runtime rt({.scheduler = scheduler, .workers = workers, .pin = false});
  runtime other({.scheduler = "random", .workers = 2, .pin = false});
  const auto end = clock::now() + for_long;
  std::vector<std::thread> threads;
  for (unsigned client = 0; client < clients; ++client) {
    threads.emplace_back([&, client] {
      dice drawn(seed * clients + client);
      while (clock::now() < end) {
        client == 0 && drawn() % 16 == 0 ? forked_child(rt) : one_root(rt, other, drawn);
      }
    });
  }
  for (std::thread& each : threads) each.join();
}

}  // namespace

int main(int count, char** arguments) {
  unsigned seconds = 0;
  if (count >= 2) std::from_chars(arguments[1], arguments[1] + std::strlen(arguments[1]), seconds);
  if (seconds == 0) {
    std::fputs("soak: expected SECONDS [SCHEDULER...]\n", stderr);
    return 2;
  }
  std::vector<std::string> schedulers(arguments + 2, arguments + count);
  if (schedulers.empty()) {
    for (const std::string& each : jackdaw::scheduler_names()) {
      if (each != "adws:no-steal" && !each.starts_with("bats:")) schedulers.push_back(each);
    }
  }
  jackdaw::test::watchdog dog(std::chrono::seconds(60));
  const auto begin = clock::now();
  const auto end = begin + std::chrono::seconds(seconds);
  // A life is short enough for several of each scheduler, and for all of them twice before the usage is first noted.
  const auto life = std::clamp<clock::duration>(std::chrono::seconds(seconds) / (6 * schedulers.size()),
                                                std::chrono::milliseconds(200), std::chrono::seconds(4));
  static constexpr unsigned crews[] = {2, 16, 1, 4, 8, 3};
  usage first;
  unsigned lives = 0;
  for (unsigned round = 0; clock::now() < end; ++round) {
    for (const std::string& each : schedulers) {
      if (clock::now() >= end) break;
      const unsigned workers = crews[round % std::size(crews)];
      dog.watch("soak under " + each + ", " + std::to_string(workers) + " workers");
      live(each, workers, life, ++lives);
      dog.release();
    }
    const usage now = usage::now();
    std::printf("%6.0f s: %u lives; %s\n", std::chrono::duration<double>(clock::now() - begin).count(), lives,
                now.text().c_str());
    std::fflush(stdout);
    if (round == 1) first = now;
    if (round > 1) {
      require(now.threads <= first.threads && now.files <= first.files, "threads or files grow");
      require(now.maps <= first.maps + 64, "mappings grow");
      require(now.resident <= first.resident + 64 * 1024, "the resident size grows");
    }
  }
  std::printf("soak: %u lives, nothing wrong\n", lives);
}
