// nqueens WORKERS [loop|group]: 14 unattacked queens, a child for each legal placement, each with a board of its own.
#include <array>
#include <numeric>
#include <string_view>

#include "bench/table/table_program.hpp"

namespace jackdaw::bench {
namespace {

constexpr unsigned queens = 14;
constexpr unsigned solutions = 365'596;

using board = std::array<signed char, queens>;  // the column of the queen in each row

bool legal(const board& placed, unsigned rows, int column) {
  for (unsigned row = 0; row != rows; ++row) {
    const int apart = static_cast<int>(rows - row);
    const int difference = column - placed[row];
    if (difference == 0 || difference == apart || difference == -apart) return false;
  }
  return true;
}

/// Calls fork(children, run) where run(i) solves the i-th legal placement in row `rows`.
template <class Fork>
unsigned place(const board& placed, unsigned rows, const Fork& fork) {
  if (rows == queens) return 1;
  board columns;
  unsigned children = 0;
  for (unsigned column = 0; column != queens; ++column) {
    if (legal(placed, rows, static_cast<int>(column))) columns[children++] = static_cast<signed char>(column);
  }
  if (children == 0) return 0;
  std::array<unsigned, queens> found;
  fork(children, [&](unsigned i) {
    board next = placed;
    next[rows] = columns[i];
    found[i] = place(next, rows + 1, fork);
  });
  return std::accumulate(found.begin(), found.begin() + children, 0u);
}

unsigned with_loop() {
  return place({}, 0, [](unsigned children, const auto& run) { for_index(0u, children, run, grain{1}); });
}

unsigned with_group() {
  return place({}, 0, [](unsigned children, const auto& run) {
    task_group group;
    for (unsigned i = 0; i != children; ++i) group.run([&run, i] { run(i); });
    group.wait();
  });
}

}  // namespace
}  // namespace jackdaw::bench

int main(int argc, char** argv) {
  using namespace jackdaw::bench;
  const std::string_view how = argc > 2 ? argv[2] : "loop";
  auto* const solve = how == "loop" ? with_loop : how == "group" ? with_group : nullptr;
  if (solve == nullptr) {
    std::fprintf(stderr, "nqueens: expected loop or group, got '%s'\n", argv[2]);
    return 2;
  }
  const auto run = [solve] { return solve() == solutions; };
  return table_program(argc > 1 ? argv[1] : nullptr, run, run);
}
