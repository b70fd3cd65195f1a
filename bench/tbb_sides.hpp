#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <utility>

#include "kernels/common/kernel.hpp"
#include "kernels/common/list.hpp"

/// oneTBB's sides, one function per kernel, each defined in bench/<kernel>/tbb.cpp.
namespace jackdaw::bench::tbb_sides {

kernels::side fib();
kernels::side nqueens();
kernels::side uts();
kernels::side sort();
kernels::side matmul();
kernels::side heat2d();
kernels::side pagerank();
kernels::side components();
kernels::side mandelbrot();

/// oneTBB with this many threads, including the caller's; may exceed the number of CPUs.
class team {
 public:
  explicit team(const kernels::request& wanted)
      : team(wanted.workers != 0 ? static_cast<int>(wanted.workers) : tbb::info::default_concurrency()) {}

  /// Calls f on one of the threads; all threads share the tasks that it forks.
  template <class F>
  decltype(auto) run(F&& f) {
    return arena_.execute(std::forward<F>(f));
  }

 private:
  explicit team(int threads)
      : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)), arena_(threads) {}

  tbb::global_control limit_;
  tbb::task_arena arena_;
};

}  // namespace jackdaw::bench::tbb_sides
