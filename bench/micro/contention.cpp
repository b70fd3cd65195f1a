// What workers pay when they use the same words: a victim's deque, a lock, the futexes of sleepers.
#include <benchmark/benchmark.h>
#include <jackdaw/machine.hpp>

#include <mutex>
#include <thread>
#include <vector>

#include "machine/probe/contention.hpp"
#include "machine/probe/sockets.hpp"
#include "sched/steal_ranges.hpp"

namespace jackdaw::bench {
namespace {

/// The first `count` CPUs that the process may use, one a core, near each other; fewer if there are no more.
std::vector<unsigned> first_cpus(std::size_t count) {
  std::vector<unsigned> all;
  for (const probe::socket& each : probe::sockets_of(machine::detect())) {
    all.insert(all.end(), each.os_cpus.begin(), each.os_cpus.end());
  }
  all.resize(std::min(count, all.size()));
  return all;
}

/// Measures once with as many CPUs as the first argument says, in seconds as the library wants it.
template <class Measure>
void measure(benchmark::State& state, Measure ns_on) {
  const std::vector<unsigned> cpus = first_cpus(static_cast<std::size_t>(state.range(0)));
  if (cpus.size() < static_cast<std::size_t>(state.range(0))) return state.SkipWithError("fewer cores than threads");
  for ([[maybe_unused]] const auto once : state) state.SetIterationTime(ns_on(cpus) * 1e-9);
}

using cpus = std::vector<unsigned>;

/// One thief takes the only entry of an owner's deque.
void steal(benchmark::State& state) {
  measure(state, [](const cpus& on) { return probe::time_steals(on[0], on[1]).steal; });
}
void look_at_emptied(benchmark::State& state) {
  measure(state, [](const cpus& on) { return probe::time_steals(on[0], on[1]).look; });
}
void look_again(benchmark::State& state) {
  measure(state, [](const cpus& on) { return probe::time_steals(on[0], on[1]).look_again; });
}

/// From one steal to the next when each of these thieves is at the same deque.
void between_steals(benchmark::State& state) { measure(state, probe::time_between_steals); }

/// A lock that these threads take again and again, from one holder to the next.
void between_holders(benchmark::State& state) {
  std::mutex mutex;
  measure(state, [&](const cpus& on) {
    return probe::time_between_calls(on, 100'000, [&] { const std::lock_guard hold(mutex); });
  });
}

/// ADWS opens and closes a search group's range. Each thread has places of its own, which last as long as it.
void open_and_close_a_range(benchmark::State& state) {
  sched::steal_ranges ranges;
  measure(state, [&](const cpus& on) {
    return probe::time_between_calls(on, 100'000, [&] {
      static thread_local sched::steal_ranges::places mine;
      ranges.close(mine, ranges.open(mine, 0, {0, 1}));
    });
  });
}

/// The last of the sleepers that one worker wakes one after another: what the call takes, and when the sleeper runs.
void wake_call(benchmark::State& state) {
  measure(state, [](const cpus& on) { return probe::time_wakes(on[0], {on.begin() + 1, on.end()}, 100).call.back(); });
}
void woken_runs(benchmark::State& state) {
  measure(state, [](const cpus& on) { return probe::time_wakes(on[0], {on.begin() + 1, on.end()}, 100).runs.back(); });
}

void on_two(benchmark::internal::Benchmark* of) { of->ArgName("threads")->Arg(2)->Iterations(5)->UseManualTime(); }
void wakes_many(benchmark::internal::Benchmark* of) {
  on_two(of);
  for (unsigned threads = 4; threads <= std::thread::hardware_concurrency(); threads *= 2) of->Arg(threads);
}
void on_many(benchmark::internal::Benchmark* of) { wakes_many(of->Arg(1)); }

BENCHMARK(steal)->Apply(on_two);
BENCHMARK(look_at_emptied)->Apply(on_two);
BENCHMARK(look_again)->Apply(on_two);
BENCHMARK(between_steals)->Apply(on_many);
BENCHMARK(between_holders)->Apply(on_many);
BENCHMARK(open_and_close_a_range)->Apply(on_many);
BENCHMARK(wake_call)->Apply(wakes_many)->Unit(benchmark::kMicrosecond);
BENCHMARK(woken_runs)->Apply(wakes_many)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace jackdaw::bench
