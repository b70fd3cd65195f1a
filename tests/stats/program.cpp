// Programs that record themselves, one for each argument. What a test compares with the database goes to stdout.
#include <jackdaw/jackdaw.hpp>
#include <jackdaw/memory.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t size = std::size_t{1} << 20;  // doubles

void work(int us) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
  while (std::chrono::steady_clock::now() < until) {
  }
}

/// Uses all of an array in blocks.
void use(double* data, std::size_t count, bool write) {
  jackdaw::for_range(std::size_t{0}, count, [&](std::size_t first, std::size_t last) {
    if (write) {
      jackdaw::writes(data + first, last - first);
    } else {
      jackdaw::reads(data + first, last - first);
    }
    for (std::size_t i = first; i < last; ++i) data[i] += 1;
  });
}

unsigned fib(unsigned n) {
  if (n < 2) return n;
  unsigned a = 0, b = 0;
  jackdaw::invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
  return a + b;
}

void print_counts(const jackdaw::runtime& rt) {
  const jackdaw::statistics sum = rt.stats();
  std::printf("steals %llu\nsuspensions %llu\nroots %llu\n",
              static_cast<unsigned long long>(sum.steals_local + sum.steals_remote),
              static_cast<unsigned long long>(sum.suspensions), static_cast<unsigned long long>(sum.roots));
}

void compute() {
  const std::clock_t begin = std::clock();
  while (static_cast<double>(std::clock() - begin) < 0.3 * CLOCKS_PER_SEC) {
  }
}

/// The main thread computes for 0.3 s of processor time, and waits for 0.2 s, before a task waits for 0.25 s.
void waits() {
  compute();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  jackdaw::runtime rt;
  rt.run([] { std::this_thread::sleep_for(std::chrono::milliseconds(250)); });
}

/// The main thread touches an array before any task runs.
void serial() {
  std::vector<double> grid(size, 1.0);
  jackdaw::name_memory(grid, "grid");
  jackdaw::runtime rt;
  for (int i = 0; i < 5; ++i) rt.run([&] { use(grid.data(), size, i % 2 == 0); });
  print_counts(rt);
}

/// One task touches an array, and says so.
void task() {
  const std::unique_ptr<double[]> grid(new double[size]);
  jackdaw::runtime rt;
  rt.run([&] {
    jackdaw::writes(grid.get(), size);
    for (std::size_t i = 0; i < size; ++i) grid[i] = 1;
  });
  rt.run([&] { use(grid.get(), size, false); });
}

/// One task touches an array and does not say so; no other worker does anything meanwhile.
void silent() {
  // Long pauses: two looks at the process's memory are fifty times as far apart as one takes.
  constexpr std::chrono::milliseconds pause(400);
  jackdaw::runtime rt;
  rt.run([] {});
  std::this_thread::sleep_for(pause);
  const std::unique_ptr<double[]> grid(new double[size * 4]);
  rt.run([&] {
    for (std::size_t i = 0; i < size * 4; ++i) grid[i] = 1;
    std::this_thread::sleep_for(pause);
  });
  std::this_thread::sleep_for(pause);
  rt.run([&] { use(grid.get(), size * 4, false); });
}

void placed() {
  jackdaw::placed_array<double> spread(size, jackdaw::placement::interleave());
  jackdaw::placed_array<double> touched(size);
  jackdaw::runtime rt;
  rt.run([&] {
    use(spread.data(), size, true);
    use(touched.data(), size, true);
  });
}

/// Two arrays of the same kind, one of them used ten times as much.
void hot() {
  std::vector<double> hot(size, 1.0), cold(size, 1.0);
  jackdaw::name_memory(hot, "hot");
  jackdaw::name_memory(cold, "cold");
  jackdaw::runtime rt;
  rt.run([&] {
    for (int i = 0; i < 10; ++i) use(hot.data(), size, false);
    use(cold.data(), size, false);
  });
}

void nothing() {
  std::vector<double> quiet(size * 4, 1.0);
  jackdaw::runtime rt;
  rt.run([&] { fib(25); });
  print_counts(rt);
}

unsigned deep(unsigned left) {
  volatile char room[16 * 1024];
  for (volatile char& each : room) each = 1;
  if (left == 0) return room[0];
  jackdaw::task_group children;
  unsigned below = 0;
  children.run([&] { below = deep(left - 1); });
  children.wait();
  return below + room[1];
}

/// The runtime needs some MiB for itself: stacks, and all that it keeps of 30000 roots. The program needs nothing.
void own() {
  jackdaw::runtime rt;
  for (int i = 0; i < 30'000; ++i) {
    rt.run([] {
      double data[8] = {};
      jackdaw::reads(data, 1 + jackdaw::this_worker().value_or(0) % 8);
    });
  }
  rt.run([] {
    deep(500);
    work(1000);
  });
  rt.run([] { work(1000); });
}

/// An array of each iteration has a name as long as it lives, and then the same memory is used without one.
void reused() {
  jackdaw::runtime rt;
  const std::unique_ptr<double[]> memory(new double[size]);
  for (int i = 0; i < 5; ++i) {
    const jackdaw::memory_name named(memory.get(), size, "temporary");
    rt.run([&] { use(memory.get(), size, true); });
  }
  rt.run([&] { use(memory.get(), size, false); });
}

/// Memory gets another name.
void renamed() {
  const std::unique_ptr<double[]> memory(new double[size]);
  jackdaw::name_memory(memory.get(), size, "first");
  jackdaw::runtime rt;
  rt.run([&] { use(memory.get(), size, true); });
  jackdaw::name_memory(memory.get(), size / 2, "second");
  for (int i = 0; i < 2; ++i) rt.run([&] { use(memory.get(), size / 2, false); });
}

/// A placed container ends, and another one has its memory.
void ended() {
  jackdaw::runtime rt;
  const double* before = nullptr;
  {
    jackdaw::placed_array<double> named(size, jackdaw::placement::interleave());
    jackdaw::name_memory(named, "named");
    before = named.data();
    rt.run([&] { use(named.data(), size, true); });
  }
  jackdaw::placed_array<double> other(size, jackdaw::placement::interleave());
  rt.run([&] {
    use(other.data(), size, true);
    use(other.data(), size, true);
  });
  std::puts(other.data() == before ? "reused" : "elsewhere");
}

/// The array, and its name, have ended when the default runtime records itself at the end of the program.
void scoped() {
  std::vector<double> grid(size, 1.0);
  const jackdaw::memory_name named(grid, "grid");
  use(grid.data(), size, true);
}

void thrown() {
  jackdaw::runtime rt;
  try {
    rt.run([] {
      fib(15);
      throw std::runtime_error("as planned");
    });
  } catch (const std::runtime_error&) {
    std::puts("thrown");
  }
  rt.run([] { fib(15); });
}

void nested() {
  jackdaw::runtime outer;
  outer.run([] {
    jackdaw::runtime inner({.workers = 2});
    inner.run([] { fib(15); });
  });
}

void both() {
  std::thread other([] {
    jackdaw::runtime rt({.workers = 2});
    rt.run([] { fib(20); });
  });
  jackdaw::runtime rt({.workers = 2});
  rt.run([] { fib(20); });
  other.join();
}

void forked() {
  jackdaw::runtime rt;
  rt.run([] { fib(15); });
  const pid_t child = fork();
  if (child == 0) {
    rt.run([] { fib(15); });
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child %d\n", status);
}

/// Forks before it makes a runtime.
void forks_first() {
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    {
      jackdaw::runtime rt;
      rt.run([] { fib(15); });
    }
    const std::chrono::duration<double> lasted = std::chrono::steady_clock::now() - begin;
    std::printf("lasted %.9f\n", lasted.count());
    std::exit(0);
  }
  waitpid(child, nullptr, 0);
}

/// Prints the processor time of the process, also that before exec().
void counts() {
  {
    jackdaw::runtime rt;
    rt.run([] { fib(15); });
  }
  std::printf("used %.6f\n", static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
}

/// The process has computed for 0.3 s when it loads the library once more.
void again() {
  compute();
  execl("/proc/self/exe", "again", "counts", nullptr);
  std::exit(1);
}

void exits() {
  static jackdaw::runtime rt({.stack_size = 16 * 1024});
  rt.run([] { jackdaw::invoke([] { work(1000); }, [] { std::exit(3); }); });
}

void reset() {
  jackdaw::runtime rt;
  rt.run([] { fib(20); });
  rt.reset_stats();
  rt.run([] { fib(20); });
}

void iterations() {
  std::vector<double> grid(size, 1.0);
  jackdaw::runtime rt;
  rt.run([&] {
    const jackdaw::region here("step");
    for (int i = 0; i < 7; ++i) use(grid.data(), size, true);
  });
}

void by_default() {
  std::vector<double> grid(size, 1.0);
  jackdaw::name_memory(grid, "grid");
  use(grid.data(), size, true);
}

}  // namespace

int main(int count, char** words) {
  const std::map<std::string, std::function<void()>> all{{"waits", waits},
                                                         {"serial", serial},
                                                         {"task", task},
                                                         {"silent", silent},
                                                         {"placed", placed},
                                                         {"hot", hot},
                                                         {"nothing", nothing},
                                                         {"own", own},
                                                         {"reused", reused},
                                                         {"renamed", renamed},
                                                         {"ended", ended},
                                                         {"scoped", scoped},
                                                         {"thrown", thrown},
                                                         {"nested", nested},
                                                         {"both", both},
                                                         {"forked", forked},
                                                         {"exits", exits},
                                                         {"reset", reset},
                                                         {"iterations", iterations},
                                                         {"default", by_default},
                                                         {"forks_first", forks_first},
                                                         {"again", again},
                                                         {"counts", counts}};
  const auto found = count == 2 ? all.find(words[1]) : all.end();
  if (found == all.end()) return 64;
  try {
    found->second();
  } catch (const jackdaw::error& wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    return 2;
  }
}
