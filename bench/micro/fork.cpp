// What a fork and its join cost: fib without a cutoff, so that there is next to nothing else.
#include <cstdint>

#include "bench/micro/setup.hpp"

namespace jackdaw::bench {
namespace {

constexpr unsigned n = 27;

std::uint64_t with_invoke(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = invoke([n] { return with_invoke(n - 1); }, [n] { return with_invoke(n - 2); });
  return a + b;
}

template <policy Policy>
std::uint64_t with_group(unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0;
  task_group group(Policy);
  group.run([&a, n] { a = with_group<Policy>(n - 1); });
  const std::uint64_t b = with_group<Policy>(n - 2);
  group.wait();
  return a + b;
}

/// Calls fib(n) again and again. Counter per_fork: processor time (wall time x workers) per spawn site executed.
void measure(benchmark::State& state, std::uint64_t (*fib)(unsigned)) {
  runtime rt = runtime_of(state);
  for ([[maybe_unused]] const auto once : state) {
    std::uint64_t result = rt.run([fib] { return fib(n); });
    benchmark::DoNotOptimize(result);
  }
  // One fork for each call with an argument of at least 2: fib(n + 1) - 1 in all.
  const double forks = static_cast<double>(rt.run([] { return with_invoke(n + 1); }) - 1);
  const double done = forks * static_cast<double>(state.iterations()) / static_cast<double>(state.range(0));
  state.counters["per_fork"] = benchmark::Counter(done, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void fork_invoke(benchmark::State& state) { measure(state, with_invoke); }
void fork_run_work_first(benchmark::State& state) { measure(state, with_group<policy::work_first>); }
void fork_run_help_first(benchmark::State& state) { measure(state, with_group<policy::help_first>); }

BENCHMARK(fork_invoke)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(fork_run_work_first)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(fork_run_help_first)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace jackdaw::bench
