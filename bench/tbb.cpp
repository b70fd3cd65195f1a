#include "bench/peers.hpp"
#include "bench/tbb_sides.hpp"

namespace jackdaw::bench {

void register_tbb() {
  kernels::add_side("fib", tbb_sides::fib());
  kernels::add_side("nqueens", tbb_sides::nqueens());
  kernels::add_side("uts", tbb_sides::uts());
  kernels::add_side("sort", tbb_sides::sort());
  kernels::add_side("matmul", tbb_sides::matmul());
  kernels::add_side("heat2d", tbb_sides::heat2d());
  kernels::add_side("pagerank", tbb_sides::pagerank());
  kernels::add_side("components", tbb_sides::components());
  kernels::add_side("mandelbrot", tbb_sides::mandelbrot());
}

}  // namespace jackdaw::bench
