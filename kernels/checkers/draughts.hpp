#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace jackdaw::kernels {

/// A position of English draughts (American checkers), seen by the player to move, whose men go up the board. Sets of
/// squares are bit masks of the 32 dark ones: four to a row, from the bottom left, the bottom left corner being one.
struct draughts {
  std::uint32_t own;    ///< pieces of the player to move
  std::uint32_t other;  ///< the opponent's
  std::uint32_t kings;  ///< of both

  /// What the first player sees at the beginning.
  static constexpr draughts opening() { return {.own = 0x00000fffu, .other = 0xfff00000u, .kings = 0}; }

  constexpr std::uint32_t empty() const { return ~(own | other); }

  friend bool operator==(const draughts&, const draughts&) = default;
};

/// The positions, each seen by the opponent, that a player's moves lead to.
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

/// All moves by the rules: who can capture must, to the end of the chosen way; kings go and capture backwards as well;
/// a man that gets to the last row becomes a king, and its move ends there. Ways of capturing that lead to the same
/// position count apart.
draughts_moves moves_of(const draughts& position);

}  // namespace jackdaw::kernels
