#pragma once

#include <sys/resource.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>

#include <jackdaw/jackdaw.hpp>

namespace jackdaw::bench {

/// Parses an argument of the command line as a number; exits the program if it is none.
inline unsigned argument(const char* text, const char* what) {
  unsigned value = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, value);
  if (error != std::errc() || rest != end || value == 0) {
    std::fprintf(stderr, "%s: expected a number of at least 1, got '%s'\n", what, text);
    std::exit(2);
  }
  return value;
}

/// A program for the table of runtimes of tzcnt/runtime-benchmarks: one untimed run, one timed run, and YAML for its
/// script on standard output. The workers are those of the command line, else the default; the scheduler is
/// $JACKDAW_SCHEDULER's. `run` is called in a root task and returns whether its result was right.
inline int table_program(const char* workers, const std::function<bool()>& warm_up, const std::function<bool()>& run) {
  options wanted;
  wanted.workers = workers != nullptr ? argument(workers, "workers") : 0;
  runtime rt(wanted);
  std::printf("threads: %u\n", rt.workers());
  bool right = rt.run(warm_up);
  const auto start = std::chrono::steady_clock::now();
  right = rt.run(run) && right;
  const auto taken = std::chrono::steady_clock::now() - start;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  std::printf("runs:\n  - iteration_count: 1\n    duration: %lld us\n    max_rss: %ld KiB\n",
              static_cast<long long>(std::chrono::duration_cast<std::chrono::microseconds>(taken).count()),
              used.ru_maxrss);
  if (!right) {
    std::fprintf(stderr, "wrong result\n");
  }
  return right ? 0 : 1;
}

/// `f(0) .. f(9)` as the branches of one invoke.
template <class F, std::size_t... I>
void invoke_each(F& f, std::index_sequence<I...>) {
  invoke([&f] { f(std::integral_constant<std::size_t, I>()); }...);
}

}  // namespace jackdaw::bench
