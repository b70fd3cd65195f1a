#include <string>

#include "kernels/checkers/checkers.hpp"

namespace jackdaw::kernels {

void checkers_problem::compute_expected() {
  constexpr unsigned few = 8;
  const auto search = [&](const draughts& position) {
    const unsigned left = depth.total() - 1;
    return depth.total() <= few ? checkers_minimax(position, left) : checkers_alpha_beta(position, left);
  };
  for (const auto moves = moves_of(draughts::opening()); const draughts& next : moves.positions())
    expected_.push_back(search(next));
}

void checkers_problem::check() {
  if (expected_.empty()) compute_expected();
  if (values.size() != expected_.size())
    throw check_failed(std::to_string(values.size()) + " first moves were searched, expected " +
                       std::to_string(expected_.size()));
  for (std::size_t i = 0; i != values.size(); ++i)
    if (values[i] != expected_[i])
      throw check_failed("first move " + std::to_string(i) + " came out as worth " + std::to_string(-values[i]) +
                         ", expected " + std::to_string(-expected_[i]));
}

}  // namespace jackdaw::kernels
