// How long work waits for a worker.
#include <atomic>
#include <optional>
#include <thread>

#include "bench/micro/setup.hpp"

namespace jackdaw::bench {
namespace {

using std::chrono::milliseconds;

/// Long enough for idle workers to have gone to sleep.
constexpr milliseconds asleep{5};

/// Forks once. The branch that starts first stays busy, forking all the time as programs do, until another worker has
/// started the other branch: the later one or, under ADWS, the first. Returns the seconds from the fork to that start;
/// nullopt if no worker took the branch within a second.
std::optional<double> time_to_steal() {
  std::atomic<unsigned> started{0};
  moment last;
  bool in_time = true;
  const moment start = now();
  const auto branch = [&] {
    if (started.fetch_add(1, std::memory_order_acq_rel) == 1) {
      last = now();
      return;
    }
    while (in_time && started.load(std::memory_order_acquire) != 2) {
      invoke([] {}, [] {});
      in_time = now() - start < std::chrono::seconds(1);
    }
  };
  invoke(branch, branch);
  if (!in_time) return std::nullopt;
  return seconds(start, last);
}

/// Reports time_to_steal's time after each call of `before` in a worker.
template <class Before>
void measure_steals(benchmark::State& state, Before before) {
  runtime rt = runtime_of(state);
  for ([[maybe_unused]] const auto once : state) {
    const std::optional<double> time = rt.run([&] {
      before();
      return time_to_steal();
    });
    if (!time) {
      state.SkipWithError("no other worker took the branch within a second");
      break;
    }
    state.SetIterationTime(*time);
  }
}

/// The thief is looking for work already.
void steal_awake(benchmark::State& state) {
  measure_steals(state, [] {});
}

/// The thief sleeps when the branch appears.
void steal_asleep(benchmark::State& state) {
  measure_steals(state, [] {
    const moment until = now() + asleep;
    while (now() < until) {
    }
  });
}

/// From a call of runtime::run by another thread, with all workers asleep, to the start of the root task.
void wake_from_outside(benchmark::State& state) {
  runtime rt = runtime_of(state);
  for ([[maybe_unused]] const auto once : state) {
    std::this_thread::sleep_for(asleep);
    const moment start = now();
    state.SetIterationTime(seconds(start, rt.run([] { return now(); })));
  }
}

BENCHMARK(steal_awake)->ArgName("workers")->Arg(2)->Iterations(2000)->UseManualTime();
BENCHMARK(steal_asleep)->ArgName("workers")->Arg(2)->Iterations(200)->UseManualTime();
BENCHMARK(wake_from_outside)->ArgName("workers")->Arg(1)->Arg(2)->Iterations(200)->UseManualTime();

/// An empty root task from outside, workers awake: the way in and out.
void run_round_trip(benchmark::State& state) {
  runtime rt = runtime_of(state);
  for ([[maybe_unused]] const auto once : state) rt.run([] {});
}
BENCHMARK(run_round_trip)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace jackdaw::bench
