#include "kernels/nqueens/nqueens.hpp"

#include <bit>

#include "bench/openmp_sides.hpp"

namespace jackdaw::bench::openmp_sides {
namespace {

using kernels::queens;

std::uint64_t solutions_of(const queens& board) {
  if (board.full()) return 1;
  std::uint32_t free = board.free();
  if (free == 0) return 0;
  std::array<std::uint64_t, queens::most> found;
  unsigned placed = 0;
  for (; !std::has_single_bit(free); free &= free - 1, ++placed) {
    const queens next = board.with(kernels::lowest(free));
    std::uint64_t* const result = &found[placed];
#pragma omp task default(none) firstprivate(next, result)
    *result = solutions_of(next);
  }
  std::uint64_t sum = solutions_of(board.with(free));  // the last placement
#pragma omp taskwait
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
