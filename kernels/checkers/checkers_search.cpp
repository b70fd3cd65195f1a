#include "kernels/checkers/checkers_search.hpp"

#include <algorithm>
#include <bit>

namespace jackdaw::kernels {

int checkers_material(const draughts& position) {
  const auto worth = [&](std::uint32_t pieces) {
    return 2 * std::popcount(pieces) + std::popcount(pieces & position.kings);
  };
  return worth(position.own) - worth(position.other);
}

int checkers_minimax(const draughts& position, unsigned depth) {
  if (depth == 0) return checkers_material(position);
  int best = checkers_lost;
  for (const auto moves = moves_of(position); const draughts& next : moves.positions())
    best = std::max(best, -checkers_minimax(next, depth - 1));
  return best;
}

int checkers_alpha_beta(const draughts& position, unsigned depth, int alpha, int beta) {
  if (depth == 0) return checkers_material(position);
  int best = checkers_lost;
  for (const auto moves = moves_of(position); const draughts& next : moves.positions()) {
    best = std::max(best, -checkers_alpha_beta(next, depth - 1, -beta, -std::max(alpha, best)));
    if (best >= beta) break;
  }
  return best;
}

}  // namespace jackdaw::kernels
