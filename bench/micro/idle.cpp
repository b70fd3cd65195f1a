// The cost of an idle runtime.
#include <ctime>
#include <thread>

#include "bench/micro/setup.hpp"

namespace jackdaw::bench {
namespace {

double processor_seconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

/// Counter percent_of_a_cpu: the processor time of the whole process during half a second, a while after its last task.
void idle(benchmark::State& state) {
  runtime rt = runtime_of(state);
  double wall = 0, used = 0;
  for ([[maybe_unused]] const auto once : state) {
    rt.run([] { invoke([] {}, [] {}); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const moment start = now();
    const double before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    used += processor_seconds() - before;
    wall += seconds(start, now());
  }
  state.counters["percent_of_a_cpu"] = 100 * used / wall;
}

BENCHMARK(idle)->ArgName("workers")->Arg(1)->Arg(2)->Arg(16)->Iterations(2)->UseRealTime()->Unit(
    benchmark::kMillisecond);

}  // namespace
}  // namespace jackdaw::bench
