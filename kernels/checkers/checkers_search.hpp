#pragma once

#include "kernels/checkers/draughts.hpp"

namespace jackdaw::kernels {

/// The value of a position to a player who has no move, and so has lost; nothing is worth less.
inline constexpr int checkers_lost = -1000;

/// What the player to move has more than the opponent: a man counts 2, a king 3.
int checkers_material(const draughts& position);

/// The value of a position to the player to move when both play their best for `depth` moves (together) and the pieces
/// are counted then. Looks at every line of play.
int checkers_minimax(const draughts& position, unsigned depth);

/// The same, without looking at what cannot matter. Exact where it is between `alpha` and `beta`; else at most alpha
/// where that is at most alpha, and at least beta where that is at least beta.
int checkers_alpha_beta(const draughts& position, unsigned depth, int alpha = checkers_lost, int beta = -checkers_lost);

}  // namespace jackdaw::kernels
