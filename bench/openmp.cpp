#include "bench/openmp_sides.hpp"
#include "bench/peers.hpp"

namespace jackdaw::bench {

void register_openmp() {
  kernels::add_side("fib", openmp_sides::fib());
  kernels::add_side("nqueens", openmp_sides::nqueens());
  kernels::add_side("uts", openmp_sides::uts());
  kernels::add_side("sort", openmp_sides::sort());
  kernels::add_side("matmul", openmp_sides::matmul());
  kernels::add_side("heat2d", openmp_sides::heat2d());
  kernels::add_side("pagerank", openmp_sides::pagerank());
  kernels::add_side("components", openmp_sides::components());
  kernels::add_side("mandelbrot", openmp_sides::mandelbrot());
}

}  // namespace jackdaw::bench
