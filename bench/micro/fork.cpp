// The cost of a fork and its join: fib without a cutoff, which does almost nothing else.
#include <cstdint>

#include "bench/fib/forks.hpp"
#include "bench/micro/setup.hpp"

namespace jackdaw::bench {
namespace {

constexpr unsigned n = 27;

/// Calls fib(n) repeatedly. Counter per_fork: processor time (wall time x workers) per executed spawn.
void measure(benchmark::State& state, std::uint64_t (*fib)(unsigned)) {
  runtime rt = runtime_of(state);
  for ([[maybe_unused]] const auto once : state) {
    std::uint64_t result = rt.run([fib] { return fib(n); });
    benchmark::DoNotOptimize(result);
  }
  const double forks = static_cast<double>(rt.run([] { return fib_with_invoke(n + 1); }) - 1);
  const double done = forks * static_cast<double>(state.iterations()) / static_cast<double>(state.range(0));
  state.counters["per_fork"] = benchmark::Counter(done, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void fork_invoke(benchmark::State& state) { measure(state, fib_with_invoke); }
void fork_tied_invoke(benchmark::State& state) { measure(state, fib_with_tied_invoke); }
void fork_run_work_first(benchmark::State& state) { measure(state, fib_with_group<policy::work_first>); }
void fork_run_help_first(benchmark::State& state) { measure(state, fib_with_group<policy::help_first>); }

BENCHMARK(fork_invoke)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(fork_tied_invoke)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(fork_run_work_first)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(fork_run_help_first)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace jackdaw::bench
