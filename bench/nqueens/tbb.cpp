#include "kernels/nqueens.hpp"

#include <oneapi/tbb/task_group.h>

#include "bench/tbb_sides.hpp"

namespace jackdaw::bench::tbb_sides {
namespace {

using kernels::queens;

// A group per row is how one writes this with oneTBB; both of the kernel's shapes are this.
std::uint64_t solutions_of(const queens& board) {
  if (board.full()) return 1;
  std::array<std::uint64_t, queens::most> found;
  unsigned placed = 0;
  tbb::task_group group;
  for (std::uint32_t free = board.free(); free != 0; free &= free - 1, ++placed) {
    group.run([&board, column = kernels::lowest(free), &result = found[placed]] {
      result = solutions_of(board.with(column));
    });
  }
  group.wait();
  std::uint64_t sum = 0;
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
