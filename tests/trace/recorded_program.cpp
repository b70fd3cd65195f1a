// A small program that uses jackdaw, to be recorded by JACKDAW_RECORD. Its argument chooses how.
#include <cstdio>
#include <exception>
#include <string_view>
#include <vector>

#include "jackdaw/jackdaw.hpp"

namespace {

unsigned fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = jackdaw::invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

int use(std::string_view how) {
  if (how == "default") {
    // Forks outside of any task: each fork is a root of the default runtime, written at exit.
    const unsigned by_invoke = fib(8);
    unsigned by_group = 0;
    jackdaw::task_group group;
    group.run([&] { by_group = fib(5); });
    group.wait();
    std::printf("%u %u %u\n", by_invoke, by_group, jackdaw::concurrency());
    return 0;
  }
  if (how == "two") {
    for (const unsigned n : {3u, 4u}) {
      jackdaw::runtime rt;
      std::printf("%u\n", rt.run([n] { return fib(n); }));
    }
    return 0;
  }
  if (how == "option") {
    jackdaw::runtime rt{{.workers = 5, .record = "by_option.trace"}};
    std::printf("%u\n", rt.run([] { return fib(6); }));
    return 0;
  }
  if (how == "named") {
    std::vector<double> grid(10'000), unused(10'000);
    jackdaw::name_memory(grid, "the grid");
    jackdaw::name_memory(unused, "unused");
    jackdaw::runtime::instance().run([&] {
      jackdaw::writes(grid);
      grid[0] = 1;
    });
    return 0;
  }
  if (how == "inside") {
    jackdaw::runtime::instance().run([] {
      std::fflush(stdout);
      std::exit(0);
    });
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return use(argc == 2 ? argv[1] : "");
  } catch (const jackdaw::error& e) {
    std::fprintf(stderr, "program: %s\n", e.what());
    return 2;
  }
}
