#include "kernels/checkers/checkers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {
namespace {

/// Positions on the way of games played at random, to their ends.
std::vector<draughts> random_positions(unsigned games, unsigned longest) {
  std::vector<draughts> result;
  for (unsigned game = 0; game != games; ++game) {
    draughts position = draughts::opening();
    for (unsigned move = 0; move != longest; ++move) {
      const auto moves = moves_of(position);
      result.push_back(position);
      if (moves.positions().empty()) break;
      position = moves.positions()[mix(std::uint64_t{game} * longest + move) % moves.positions().size()];
    }
  }
  return result;
}

TEST(checkers, material_counts_for_both_players) {
  EXPECT_EQ(checkers_material(draughts::opening()), 0);
  EXPECT_EQ(checkers_material({.own = 0b1011, .other = 0b0100, .kings = 0b0101}), 7 - 3);
}

TEST(checkers, a_player_without_a_move_has_lost) {
  const draughts beaten{.own = 0, .other = 0xff, .kings = 0};
  EXPECT_EQ(checkers_minimax(beaten, 3), checkers_lost);
  EXPECT_EQ(checkers_alpha_beta(beaten, 3), checkers_lost);
  const draughts winning{.own = 1, .other = 1u << 4, .kings = 0};  // captures the last piece
  EXPECT_EQ(checkers_minimax(winning, 2), -checkers_lost);
  EXPECT_EQ(checkers_alpha_beta(winning, 2), -checkers_lost);
  EXPECT_EQ(checkers_minimax(winning, 1), 2);
}

TEST(checkers, cuts_do_not_change_the_value) {
  unsigned lost = 0, with_kings = 0, unequal = 0;
  for (const draughts& position : random_positions(6, 150))
    for (unsigned depth = 0; depth != 5; ++depth) {
      const int expected = checkers_minimax(position, depth);
      ASSERT_EQ(checkers_alpha_beta(position, depth), expected);
      lost += expected == checkers_lost;
      with_kings += position.kings != 0;
      unequal += expected != 0;
      for (const int bound : {-3, 0, 2}) {
        const int found = checkers_alpha_beta(position, depth, bound, bound + 1);
        ASSERT_EQ(found <= bound, expected <= bound);
        if (found <= bound)
          ASSERT_LE(expected, found);
        else
          ASSERT_GE(expected, found);
      }
    }
  EXPECT_GT(lost, 0u);
  EXPECT_GT(with_kings, 0u);
  EXPECT_GT(unequal, 0u);
}

class given : public checkers_problem {
 public:
  using checkers_problem::checkers_problem;
  void run() override {
    for (const auto first = moves_of(draughts::opening()); const draughts& next : first.positions())
      values.push_back(checkers_minimax(next, depth.total() - 1));
  }
  std::vector<int>& found() { return values; }
};

TEST(checkers, check_finds_one_wrong_value_and_a_missing_one) {
  given p({.size = "tiny"});
  p.prepare();
  p.run();
  EXPECT_NO_THROW(p.check());
  p.found().back() += 1;
  EXPECT_THROW(p.check(), check_failed);
  p.found().pop_back();
  EXPECT_THROW(p.check(), check_failed);
}

}  // namespace
}  // namespace jackdaw::kernels
