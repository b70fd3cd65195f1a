#include "kernels/nqueens/nqueens.hpp"

#include <oneapi/tbb/task_group.h>

#include <bit>

#include "bench/tbb_sides.hpp"

namespace jackdaw::bench::tbb_sides {
namespace {

using kernels::queens;

// A group per row is how one writes this with oneTBB; both of the kernel's shapes are this. The last placement is
// called.
std::uint64_t solutions_of(const queens& board) {
  if (board.full()) return 1;
  std::uint32_t free = board.free();
  if (free == 0) return 0;
  std::array<std::uint64_t, queens::most> found;
  unsigned placed = 0;
  tbb::task_group group;
  for (; !std::has_single_bit(free); free &= free - 1, ++placed) {
    group.run([&board, column = kernels::lowest(free), &result = found[placed]] {
      result = solutions_of(board.with(column));
    });
  }
  std::uint64_t sum = solutions_of(board.with(free));
  group.wait();
  for (unsigned i = 0; i != placed; ++i) sum += found[i];
  return sum;
}

class problem : public kernels::nqueens_problem {
 public:
  explicit problem(const kernels::request& wanted) : nqueens_problem(wanted), team_(wanted) {}
  void run() override {
    solutions = team_.run([this] { return solutions_of(queens(n)); });
  }

 private:
  team team_;
};

}  // namespace

kernels::side nqueens() { return kernels::make_side<problem>("tbb"); }

}  // namespace jackdaw::bench::tbb_sides
