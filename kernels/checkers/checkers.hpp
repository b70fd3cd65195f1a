#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "kernels/checkers/checkers_search.hpp"
#include "kernels/checkers/draughts.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"

namespace jackdaw::kernels {

/// `moves`: a loop over a position's moves.
enum class checkers_shape { moves };
inline constexpr auto checkers_shapes = std::to_array<choice<checkers_shape>>({{"moves", checkers_shape::moves}});

/// How far a search looks, in moves of both players together.
struct checkers_depth {
  unsigned forked;  ///< moves whose alternatives are tasks; all of them are looked at
  unsigned serial;  ///< further moves, searched by one task with alpha-beta cuts

  unsigned total() const { return forked + serial; }
};

/// Named by the total.
inline constexpr auto checkers_sizes = std::to_array<choice<checkers_depth>>({{"12", {.forked = 4, .serial = 8}},
                                                                              {"tiny", {.forked = 3, .serial = 3}},
                                                                              {"10", {.forked = 4, .serial = 6}},
                                                                              {"14", {.forked = 5, .serial = 9}}});

/// What each of the first player's moves at English draughts is worth, by search of the game's tree to a fixed depth.
class checkers_problem : public problem {
 public:
  explicit checkers_problem(const request& wanted) : depth(choose(checkers_sizes, "checkers", "size", wanted.size)) {
    choose(checkers_shapes, "checkers", "shape", wanted.shape);
  }

  void prepare() override { values.clear(); }

  /// Compares with a serial search of the same depth: of all lines of play where they are few, else with alpha-beta
  /// cuts from the first move on.
  void check() override;

 protected:
  const checkers_depth depth;
  std::vector<int> values;  ///< of the positions after each first move, to the opponent

 private:
  std::vector<int> expected_;

  void compute_expected();
};

}  // namespace jackdaw::kernels
