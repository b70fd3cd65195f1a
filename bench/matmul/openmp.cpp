#include "kernels/matmul/matmul.hpp"

#include "bench/openmp_sides.hpp"

namespace jackdaw::bench::openmp_sides {
namespace {

class problem : public kernels::matmul_problem {
 public:
  explicit problem(const kernels::request& wanted) : matmul_problem(wanted), threads_(threads(wanted)) {}

  void prepare() override {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t i = 0; i < n; ++i) fill_row(i);
  }

  void run() override {
#pragma omp parallel num_threads(threads_)
#pragma omp single
    multiply(a(), b(), c());
  }

 private:
  static void multiply(input a, input b, output c) {
    if (c.n == cutoff) return multiply_leaf(a, b, c);
    for (unsigned k = 0; k != 2; ++k) {
#pragma omp task default(none) firstprivate(a, b, c, k)
      multiply(a.part(0, k), b.part(k, 0), c.part(0, 0));
#pragma omp task default(none) firstprivate(a, b, c, k)
      multiply(a.part(1, k), b.part(k, 0), c.part(1, 0));
#pragma omp task default(none) firstprivate(a, b, c, k)
      multiply(a.part(0, k), b.part(k, 1), c.part(0, 1));
      multiply(a.part(1, k), b.part(k, 1), c.part(1, 1));
#pragma omp taskwait
    }
  }

  const int threads_;
};

}  // namespace

kernels::side matmul() { return kernels::make_side<problem>("openmp"); }

}  // namespace jackdaw::bench::openmp_sides
