#pragma once

#include <benchmark/benchmark.h>

#include <chrono>

#include <jackdaw/jackdaw.hpp>

namespace jackdaw::bench {

/// A runtime whose number of workers is the benchmark's first argument. $JACKDAW_SCHEDULER names the scheduler.
inline runtime runtime_of(const benchmark::State& state) {
  options wanted;
  wanted.workers = static_cast<unsigned>(state.range(0));
  return runtime(wanted);
}

using moment = std::chrono::steady_clock::time_point;

inline moment now() { return std::chrono::steady_clock::now(); }
inline double seconds(moment from, moment to) { return std::chrono::duration<double>(to - from).count(); }

}  // namespace jackdaw::bench
