#include "kernels/checkers/draughts.hpp"

#include <algorithm>

namespace jackdaw::kernels {
namespace {

enum class direction { up_left, up_right, down_left, down_right };
constexpr auto all_directions =
    std::to_array({direction::up_left, direction::up_right, direction::down_left, direction::down_right});
constexpr unsigned directions_of_men = 2;

// Rows 0, 2, 4, 6 begin with a dark square, the others with a light one.
constexpr std::uint32_t even_rows = 0x0f0f0f0f, odd_rows = ~even_rows;
constexpr std::uint32_t left_edge = 0x01010101, right_edge = 0x80808080, last_row = 0xf0000000;

/// Returns the squares that the pieces of a set reach by one step; pieces that would leave the board vanish.
constexpr std::uint32_t step(std::uint32_t squares, direction to) {
  const std::uint32_t even = squares & even_rows, odd = squares & odd_rows;
  switch (to) {
    case direction::up_left:
      return (even & ~left_edge) << 3 | odd << 4;
    case direction::up_right:
      return even << 4 | (odd & ~right_edge) << 5;
    case direction::down_left:
      return (even & ~left_edge) >> 5 | odd >> 4;
    case direction::down_right:
      return even >> 4 | (odd & ~right_edge) >> 3;
  }
  return 0;
}

constexpr std::uint32_t lowest(std::uint32_t squares) { return squares & -squares; }

/// Returns the board turned by 180 degrees.
constexpr std::uint32_t turned(std::uint32_t squares) {
  squares = (squares >> 1 & 0x55555555u) | (squares & 0x55555555u) << 1;
  squares = (squares >> 2 & 0x33333333u) | (squares & 0x33333333u) << 2;
  squares = (squares >> 4 & 0x0f0f0f0fu) | (squares & 0x0f0f0f0fu) << 4;
  squares = (squares >> 8 & 0x00ff00ffu) | (squares & 0x00ff00ffu) << 8;
  return squares >> 16 | squares << 16;
}

std::span<const direction> directions_of(bool king) {
  return std::span(all_directions).first(king ? all_directions.size() : directions_of_men);
}

/// Returns the opponent's view of a position in which a moving piece, no longer on its square, ends on `square`.
draughts landed(draughts without, std::uint32_t square, bool king) {
  without.own |= square;
  if (king || (square & last_row) != 0) without.kings |= square;
  return {.own = turned(without.other), .other = turned(without.own), .kings = turned(without.kings)};
}

draughts lifted(draughts from, std::uint32_t square) {
  from.own &= ~square;
  from.kings &= ~square;
  return from;
}

/// Adds every way for a piece on `square`, already lifted, to capture until it can capture no more. Returns whether
/// there was one.
bool add_captures(const draughts& without, std::uint32_t square, bool king, draughts_moves& moves) {
  bool any = false;
  for (const direction to : directions_of(king)) {
    const std::uint32_t captured = step(square, to) & without.other;
    const std::uint32_t beyond = step(captured, to) & without.empty();
    if (beyond == 0) continue;
    any = true;
    draughts after = without;
    after.other &= ~captured;
    after.kings &= ~captured;
    const bool crowned = !king && (beyond & last_row) != 0;
    if (crowned || !add_captures(after, beyond, king, moves)) moves.add(landed(after, beyond, king));
  }
  return any;
}

void add_steps(const draughts& from, draughts_moves& moves) {
  for (std::uint32_t pieces = from.own; pieces != 0; pieces &= pieces - 1) {
    const std::uint32_t square = lowest(pieces);
    const bool king = (from.kings & square) != 0;
    for (const direction to : directions_of(king))
      if (const std::uint32_t next = step(square, to) & from.empty(); next != 0)
        moves.add(landed(lifted(from, square), next, king));
  }
}

/// Returns the pieces that can capture.
std::uint32_t capturers(const draughts& from) {
  std::uint32_t found = 0;
  for (const direction to : all_directions) {
    // The opposite step down undoes a step up.
    const auto back = all_directions[all_directions.size() - 1 - static_cast<std::size_t>(to)];
    const bool for_men = static_cast<unsigned>(to) < directions_of_men;
    const std::uint32_t captured = step(from.empty(), back) & from.other;
    found |= step(captured, back) & from.own & (for_men ? ~std::uint32_t{0} : from.kings);
  }
  return found;
}

}  // namespace

draughts_moves moves_of(const draughts& position) {
  draughts_moves moves;
  const std::uint32_t able = capturers(position);
  for (std::uint32_t pieces = able; pieces != 0; pieces &= pieces - 1) {
    const std::uint32_t square = lowest(pieces);
    add_captures(lifted(position, square), square, (position.kings & square) != 0, moves);
  }
  if (able == 0) add_steps(position, moves);
  return moves;
}

}  // namespace jackdaw::kernels
