// The cost of data placement: copying a replicated table, first touches, queries for pages' nodes, tasks with an
// affinity.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <jackdaw/memory.hpp>

#include "bench/micro/setup.hpp"

namespace jackdaw::bench {
namespace {

constexpr std::size_t page = 4096;

struct table {
  std::uint64_t words[512] = {};
};

/// Runs the benchmark's loop as a root task, on a worker.
template <class F>
void on_a_worker(benchmark::State& state, F body) {
  runtime rt = runtime_of(state);
  rt.run([&] {
    for ([[maybe_unused]] const auto once : state) body();
  });
}

/// One word of a table read through a pointer, for comparison with local().
void replicated_none(benchmark::State& state) {
  const table only;
  const table* at = &only;
  on_a_worker(state, [&] {
    benchmark::DoNotOptimize(at);
    benchmark::DoNotOptimize(at->words[7]);
  });
}

void replicated_local(benchmark::State& state) {
  runtime rt = runtime_of(state);
  rt.run([&] {
    const replicated<table> copies{table{}};
    for ([[maybe_unused]] const auto once : state) benchmark::DoNotOptimize(copies.local().words[7]);
  });
}

/// Counter bytes: bytes per second of an array that is made, touched by all workers and freed.
void first_touch_placed(benchmark::State& state) {
  constexpr std::size_t bytes = std::size_t{256} << 20;
  on_a_worker(state, [&] {
    placed_array<std::uint64_t> made(bytes / sizeof(std::uint64_t));
    benchmark::DoNotOptimize(made.data());
  });
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

/// The same by one thread.
void first_touch_vector(benchmark::State& state) {
  constexpr std::size_t bytes = std::size_t{256} << 20;
  for ([[maybe_unused]] const auto once : state) {
    std::vector<std::uint64_t> made(bytes / sizeof(std::uint64_t));
    benchmark::DoNotOptimize(made.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

/// The query of near() on machines with several memory nodes: the nodes of 64 pages.
void near_question(benchmark::State& state) {
  std::vector<std::byte> data(64 * page, std::byte{1});
  on_a_worker(state, [&] { benchmark::DoNotOptimize(where(data.data(), data.size())); });
}

/// A fork and its wait, without and with an affinity.
void group_run(benchmark::State& state) {
  on_a_worker(state, [] {
    task_group group;
    group.run([] {});
    group.wait();
  });
}
void group_run_on(benchmark::State& state) {
  const affinity here = on(0);
  on_a_worker(state, [&] {
    task_group group;
    group.run(here, [] {});
    group.wait();
  });
}

BENCHMARK(replicated_none)->Arg(1);
BENCHMARK(replicated_local)->Arg(1);
BENCHMARK(first_touch_vector)->Unit(benchmark::kMillisecond);
BENCHMARK(first_touch_placed)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(near_question)->Arg(1);
BENCHMARK(group_run)->Arg(1)->Arg(2);
BENCHMARK(group_run_on)->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace jackdaw::bench
