#pragma once

#include <omp.h>

#include "kernels/common/kernel.hpp"
#include "kernels/common/list.hpp"

/// OpenMP's sides, one function per kernel, each defined in bench/<kernel>/openmp.cpp.
namespace jackdaw::bench::openmp_sides {

kernels::side fib();
kernels::side nqueens();
kernels::side uts();
kernels::side sort();
kernels::side matmul();
kernels::side heat2d();
kernels::side pagerank();
kernels::side components();
kernels::side mandelbrot();

/// The number of threads of a parallel region.
inline int threads(const kernels::request& wanted) {
  return wanted.workers != 0 ? static_cast<int>(wanted.workers) : omp_get_num_procs();
}

}  // namespace jackdaw::bench::openmp_sides
