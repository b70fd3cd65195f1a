#pragma once

#include "kernels/checkers/draughts.hpp"

namespace jackdaw::kernels {

/// The value of a lost position, in which the player has no move; no value is lower.
inline constexpr int checkers_lost = -1000;

/// The material lead of the player to move: a man counts 2, a king 3.
int checkers_material(const draughts& position);

/// The value of a position to the player to move: the material lead after `depth` moves (of both players together) of
/// best play. Searches every line of play.
int checkers_minimax(const draughts& position, unsigned depth);

/// The same with alpha-beta cuts. Exact if the value is between `alpha` and `beta`. Otherwise the result is at most
/// alpha if the value is, and at least beta if the value is.
int checkers_alpha_beta(const draughts& position, unsigned depth, int alpha = checkers_lost, int beta = -checkers_lost);

}  // namespace jackdaw::kernels
