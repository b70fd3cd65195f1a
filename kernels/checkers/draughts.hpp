#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace jackdaw::kernels {

/// A position of English draughts (American checkers), seen by the player to move, whose men move up the board. Sets of
/// squares are bit masks of the 32 dark squares: four per row, from the bottom left, whose corner is dark.
struct draughts {
  std::uint32_t own;    ///< pieces of the player to move
  std::uint32_t other;  ///< the opponent's
  std::uint32_t kings;  ///< of both

  /// The first player's view of the initial position.
  static constexpr draughts opening() { return {.own = 0x00000fffu, .other = 0xfff00000u, .kings = 0}; }

  constexpr std::uint32_t empty() const { return ~(own | other); }

  friend bool operator==(const draughts&, const draughts&) = default;
};

/// The positions, each seen by the opponent, that result from a player's moves.
class draughts_moves {
 public:
  static constexpr unsigned most = 96;

  std::span<const draughts> positions() const { return {positions_.data(), count_}; }

  /// Throws std::length_error when there are more than `most`.
  void add(const draughts& position) {
    if (count_ == most) throw std::length_error("a position of draughts has more than 96 moves");
    positions_[count_++] = position;
  }

 private:
  std::array<draughts, most> positions_;
  unsigned count_ = 0;
};

/// Returns all legal moves. A capture is compulsory and continues to the end of the chosen way. Kings also move and
/// capture backwards. A man that reaches the last row becomes a king, which ends its move. Ways of capturing that lead
/// to the same position count separately.
draughts_moves moves_of(const draughts& position);

}  // namespace jackdaw::kernels
