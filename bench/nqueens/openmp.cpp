#include "kernels/nqueens.hpp"

#include "bench/openmp_sides.hpp"

namespace jackdaw::bench::openmp_sides {
namespace {

using kernels::queens;

std::uint64_t solutions_of(const queens& board) {
  if (board.full()) return 1;
  std::array<std::uint64_t, queens::most> found;
  unsigned placed = 0;
  for (std::uint32_t free = board.free(); free != 0; free &= free - 1, ++placed) {
    const queens next = board.with(kernels::lowest(free));
    std::uint64_t* const result = &found[placed];
#pragma omp task default(none) firstprivate(next, result)
    *result = solutions_of(next);
  }
#pragma omp taskwait
  std::uint64_t sum = 0;
  for (unsigned i = 0; i != placed; ++i) sum += found[i];
  return sum;
}

class problem : public kernels::nqueens_problem {
 public:
  explicit problem(const kernels::request& wanted) : nqueens_problem(wanted), threads_(threads(wanted)) {}
  void run() override {
#pragma omp parallel num_threads(threads_)
#pragma omp single
    solutions = solutions_of(queens(n));
  }

 private:
  const int threads_;
};

}  // namespace

kernels::side nqueens() { return kernels::make_side<problem>("openmp"); }

}  // namespace jackdaw::bench::openmp_sides
