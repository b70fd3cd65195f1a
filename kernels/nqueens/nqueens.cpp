#include "kernels/nqueens/nqueens.hpp"

#include <bit>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

std::uint64_t serial(const queens& board) {
  if (board.full()) return 1;
  std::uint64_t found = 0;
  for (std::uint32_t free = board.free(); free != 0; free &= free - 1) found += serial(board.with(lowest(free)));
  return found;
}

std::uint64_t in_columns(const queens& board, std::uint32_t columns);

std::uint64_t with_invoke(const queens& board) { return board.full() ? 1 : in_columns(board, board.free()); }

/// Counts the solutions with the next queen in one of these columns.
std::uint64_t in_columns(const queens& board, std::uint32_t columns) {
  if (columns == 0) return 0;
  const std::uint32_t first = lowest(columns), others = columns ^ first;
  if (others == 0) return with_invoke(board.with(first));
  const auto [a, b] =
      jackdaw::invoke(jackdaw::work(1, [&board, first] { return with_invoke(board.with(first)); }),
                      jackdaw::work(std::popcount(others), [&board, others] { return in_columns(board, others); }));
  return a + b;
}

std::uint64_t with_group(const queens& board) {
  if (board.full()) return 1;
  std::uint32_t free = board.free();
  if (free == 0) return 0;
  std::array<std::uint64_t, queens::most> found;
  unsigned placed = 0;
  jackdaw::task_group group(std::popcount(free));
  for (; !std::has_single_bit(free); free &= free - 1, ++placed)
    group.run([&board, column = lowest(free), &result = found[placed]] { result = with_group(board.with(column)); }, 1);
  // The last one is called, not forked, because only the wait follows it.
  std::uint64_t sum = with_group(board.with(free));
  group.wait();
  for (unsigned i = 0; i != placed; ++i) sum += found[i];
  return sum;
}

class jackdaw_nqueens : public nqueens_problem {
 public:
  using nqueens_problem::nqueens_problem;
  void run() override { solutions = shape == nqueens_shape::invoke ? with_invoke(queens(n)) : with_group(queens(n)); }
};

class serial_nqueens : public nqueens_problem {
 public:
  using nqueens_problem::nqueens_problem;
  void run() override { solutions = serial(queens(n)); }
};

}  // namespace

kernel nqueens() {
  return {.name = "nqueens",
          .summary = "Unattacked queens on a board: irregular search, one task per placement",
          .sizes = names(nqueens_sizes),
          .shapes = names(nqueens_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_nqueens>("jackdaw"), make_side<serial_nqueens>("serial")}};
}

}  // namespace jackdaw::kernels
