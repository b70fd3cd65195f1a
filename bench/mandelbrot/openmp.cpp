#include "kernels/mandelbrot/mandelbrot.hpp"

#include "bench/openmp_sides.hpp"

namespace jackdaw::bench::openmp_sides {
namespace {

class problem : public kernels::mandelbrot_problem {
 public:
  explicit problem(const kernels::request& wanted) : mandelbrot_problem(wanted), threads_(threads(wanted)) {}
  void run() override {
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (unsigned y = 0; y < n; ++y) compute_row(y);
  }

 private:
  const int threads_;
};

}  // namespace

kernels::side mandelbrot() { return kernels::make_side<problem>("openmp"); }

}  // namespace jackdaw::bench::openmp_sides
