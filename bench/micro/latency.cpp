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

/// Forks once and keeps busy, forking all the time as programs do, until another worker has started the branch.
/// Seconds from the fork to that start; nothing when nobody came within a second.
std::optional<double> time_to_steal() {
  std::atomic<bool> started{false};
  moment start, stolen;
  bool in_time = true;
  const std::optional<unsigned> me = this_worker();
  bool by_another = false;
  start = now();
  invoke(
      [&] {
        while (in_time && !started.load(std::memory_order_acquire)) {
          invoke([] {}, [] {});
          in_time = now() - start < std::chrono::seconds(1);
        }
      },
      [&] {
        stolen = now();
        by_another = this_worker() != me;
        started.store(true, std::memory_order_release);
      });
  if (!in_time || !by_another) return std::nullopt;
  return seconds(start, stolen);
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
