// What forks of the C API cost beside those of C++, with functions that do nothing.
#include <jackdaw/jackdaw.h>

#include "bench/micro/setup.hpp"

namespace jackdaw::bench {
namespace {

using function = void (*)(void*);

void nothing(void* /*arg*/) {}

/// The compiler does not know which it is.
volatile function unknown_function = nothing;

/// Calls fork(f) again and again in a task.
template <class F>
void in_a_task(benchmark::State& state, const F& fork) {
  runtime rt({.scheduler = "random", .workers = 1});
  rt.run([&] {
    for ([[maybe_unused]] const auto once : state) {
      fork(unknown_function);
    }
  });
}

void calls_invoke(benchmark::State& state) {
  in_a_task(state, [](function f) { invoke([f] { f(nullptr); }, [f] { f(nullptr); }); });
}
void calls_invoke_in_c(benchmark::State& state) {
  in_a_task(state, [](function f) { jackdaw_invoke(f, nullptr, f, nullptr); });
}
void calls_group(benchmark::State& state) {
  in_a_task(state, [](function f) {
    task_group group;
    group.run([f] { f(nullptr); });
    group.wait();
  });
}
void calls_group_in_c(benchmark::State& state) {
  in_a_task(state, [](function f) {
    jackdaw_group* group = nullptr;
    jackdaw_group_begin(&group);
    jackdaw_group_spawn(group, f, nullptr);
    jackdaw_group_end(group);
  });
}

BENCHMARK(calls_invoke);
BENCHMARK(calls_invoke_in_c);
BENCHMARK(calls_group);
BENCHMARK(calls_group_in_c);

}  // namespace
}  // namespace jackdaw::bench
