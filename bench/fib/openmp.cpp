#include "kernels/fib/fib.hpp"

#include "bench/openmp_sides.hpp"

namespace jackdaw::bench::openmp_sides {
namespace {

// OpenMP has one way to fork; both of the kernel's shapes are this.
std::uint64_t fib_of(unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0;
#pragma omp task default(none) shared(a) firstprivate(n)
  a = fib_of(n - 1);
  const std::uint64_t b = fib_of(n - 2);
#pragma omp taskwait
  return a + b;
}

class problem : public kernels::fib_problem {
 public:
  explicit problem(const kernels::request& wanted) : fib_problem(wanted), threads_(threads(wanted)) {}
  void run() override {
#pragma omp parallel num_threads(threads_)
#pragma omp single
    result = fib_of(n);
  }

 private:
  const int threads_;
};

}  // namespace

kernels::side fib() { return kernels::make_side<problem>("openmp"); }

}  // namespace jackdaw::bench::openmp_sides
