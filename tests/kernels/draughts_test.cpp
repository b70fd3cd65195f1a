#include "kernels/checkers/draughts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace jackdaw::kernels {
namespace {

/// A position as it is printed, the top row first: m and k are the mover's man and king, o and O the opponent's.
draughts drawn(const std::vector<std::string_view>& rows) {
  draughts position{.own = 0, .other = 0, .kings = 0};
  for (unsigned row = 0; row != 8; ++row)
    for (unsigned column = 0; column != 8; ++column) {
      const char piece = rows.at(7 - row).at(column);
      if (piece == '.') continue;
      if (row % 2 != column % 2) throw std::invalid_argument("a piece on a light square");
      const std::uint32_t bit = std::uint32_t{1} << (4 * row + column / 2);
      (piece == 'm' || piece == 'k' ? position.own : position.other) |= bit;
      if (piece == 'k' || piece == 'O') position.kings |= bit;
    }
  return position;
}

/// The same position, seen by the other player.
draughts turned(const draughts& position) {
  draughts result{.own = 0, .other = 0, .kings = 0};
  for (unsigned square = 0; square != 32; ++square) {
    const std::uint32_t from = std::uint32_t{1} << square, to = std::uint32_t{1} << (31 - square);
    if ((position.own & from) != 0) result.other |= to;
    if ((position.other & from) != 0) result.own |= to;
    if ((position.kings & from) != 0) result.kings |= to;
  }
  return result;
}

/// The positions that moves lead to, still seen by the player who moved.
std::vector<draughts> after(const std::vector<std::string_view>& rows) {
  std::vector<draughts> result;
  const auto moves = moves_of(drawn(rows));
  std::ranges::transform(moves.positions(), std::back_inserter(result), turned);
  return result;
}

void expect_only(const std::vector<std::string_view>& from, const std::vector<std::string_view>& to) {
  const auto found = after(from);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], drawn(to));
}

std::uint64_t lines_of_play(const draughts& position, unsigned depth) {
  if (depth == 0) return 1;
  std::uint64_t sum = 0;
  for (const auto moves = moves_of(position); const draughts& next : moves.positions())
    sum += lines_of_play(next, depth - 1);
  return sum;
}

/// The published numbers of lines of play from the opening (OEIS A133046).
TEST(draughts, the_number_of_lines_of_play_is_the_published_one) {
  constexpr auto known = std::to_array<std::uint64_t>({1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931});
  for (unsigned depth = 0; depth != known.size(); ++depth)
    EXPECT_EQ(lines_of_play(draughts::opening(), depth), known[depth]) << depth;
}

TEST(draughts, both_sides_of_the_opening_look_alike) { EXPECT_EQ(turned(draughts::opening()), draughts::opening()); }

TEST(draughts, men_go_up_only_and_kings_both_ways) {
  const std::vector<std::string_view> man = {"........", "........", "........", "........",  //
                                             "...m....", "........", "........", "........"};
  const std::vector<std::string_view> king = {"........", "........", "........", "........",  //
                                              "...k....", "........", "........", "........"};
  EXPECT_EQ(after(man).size(), 2u);
  EXPECT_EQ(after(king).size(), 4u);
}

TEST(draughts, no_piece_leaves_the_board_at_an_edge) {
  const std::vector<std::string_view> rows = {".......k", "........", "........", "k.......",  //
                                              "........", "........", ".......k", "k......."};
  EXPECT_EQ(after(rows).size(), 1u + 2u + 2u + 1u);
}

TEST(draughts, captures_are_compulsory_and_continue_to_the_end) {
  expect_only({"........", "........", "........", "....o...",  //
               "........", "..o.....", ".m......", "......m."},
              {"........", "........", ".....m..", "........",  //
               "........", "........", "........", "......m."});
}

TEST(draughts, a_man_does_not_capture_backwards_and_a_king_does) {
  EXPECT_EQ(after({"........", "........", "........", "..m.....",  //
                   "...o....", "........", "........", "........"})
                .size(),
            2u);
  expect_only({"........", "........", "........", "..k.....",  //
               "...o....", "........", "........", "........"},
              {"........", "........", "........", "........",  //
               "........", "....k...", "........", "........"});
}

TEST(draughts, a_piece_with_another_behind_it_is_safe) {
  EXPECT_EQ(after({"........", "........", "........", "....o...",  //
                   "...o....", "..m.....", "........", "........"})
                .size(),
            1u);
}

TEST(draughts, a_man_that_becomes_a_king_stops) {
  expect_only({"........", "..o.o...", ".m......", "........",  //
               "........", "........", "........", "........"},
              {"...k....", "....o...", "........", "........",  //
               "........", "........", "........", "........"});
  expect_only({"........", "m.......", "........", "........",  //
               "........", "........", "........", "........"},
              {".k......", "........", "........", "........",  //
               "........", "........", "........", "........"});
}

TEST(draughts, captured_kings_are_gone) {
  expect_only({"........", "........", "........", "........",  //
               "...O....", "..m.....", "........", "........"},
              {"........", "........", "........", "....m...",  //
               "........", "........", "........", "........"});
}

TEST(draughts, a_king_may_come_back_to_where_it_began_either_way_round) {
  const auto found = after({"........", "........", ".o.o....", "........",  //
                            ".o.o....", "..k.....", "........", "........"});
  const draughts expected = drawn({"........", "........", "........", "........",  //
                                   "........", "..k.....", "........", "........"});
  EXPECT_EQ(found, (std::vector{expected, expected}));
}

TEST(draughts, a_player_without_pieces_or_blocked_has_no_move) {
  EXPECT_TRUE(after({"........", "..o.....", "........", "........",  //
                     "........", "........", "........", "........"})
                  .empty());
  EXPECT_TRUE(after({"........", "........", "........", "........",  //
                     "........", "..o.....", ".o......", "m......."})
                  .empty());
}

TEST(draughts, more_moves_than_fit_are_refused) {
  draughts_moves moves;
  for (unsigned i = 0; i != draughts_moves::most; ++i) moves.add(draughts::opening());
  EXPECT_THROW(moves.add(draughts::opening()), std::length_error);
  EXPECT_EQ(moves.positions().size(), draughts_moves::most);
}

}  // namespace
}  // namespace jackdaw::kernels
