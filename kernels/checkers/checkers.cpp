#include "kernels/checkers/checkers.hpp"

#include <algorithm>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

int serial(const draughts& position, checkers_depth depth) {
  if (depth.forked == 0) return checkers_alpha_beta(position, depth.serial);
  int best = checkers_lost;
  for (const auto moves = moves_of(position); const draughts& next : moves.positions())
    best = std::max(best, -serial(next, {depth.forked - 1, depth.serial}));
  return best;
}

int parallel(const draughts& position, checkers_depth depth);

/// Searches positions in parallel and writes their values to `values`.
void parallel_values(std::span<const draughts> positions, checkers_depth depth, int* values) {
  jackdaw::for_index(
      std::size_t{0}, positions.size(), [=](std::size_t i) { values[i] = parallel(positions[i], depth); },
      jackdaw::grain{1});
}

int parallel(const draughts& position, checkers_depth depth) {
  if (depth.forked == 0) return checkers_alpha_beta(position, depth.serial);
  const auto moves = moves_of(position);
  const auto positions = moves.positions();
  std::array<int, draughts_moves::most> values;
  parallel_values(positions, {depth.forked - 1, depth.serial}, values.data());
  int best = checkers_lost;
  for (const int value : std::span(values).first(positions.size())) best = std::max(best, -value);
  return best;
}

class jackdaw_checkers : public checkers_problem {
 public:
  using checkers_problem::checkers_problem;

  void run() override {
    const auto first = moves_of(draughts::opening());
    values.resize(first.positions().size());
    parallel_values(first.positions(), {depth.forked - 1, depth.serial}, values.data());
  }
};

class serial_checkers : public checkers_problem {
 public:
  using checkers_problem::checkers_problem;

  void run() override {
    for (const auto first = moves_of(draughts::opening()); const draughts& next : first.positions())
      values.push_back(serial(next, {depth.forked - 1, depth.serial}));
  }
};

}  // namespace

kernel checkers() {
  return {.name = "checkers",
          .summary = "Search of the game tree of English draughts to a fixed depth",
          .sizes = names(checkers_sizes),
          .shapes = names(checkers_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_checkers>("jackdaw"), make_side<serial_checkers>("serial")}};
}

}  // namespace jackdaw::kernels
