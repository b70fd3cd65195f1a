#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sched/engine.hpp"

namespace jackdaw::sched {

/// That an area's data are to go to another node.
struct area_move {
  std::uint32_t area = 0;  ///< index in the list of areas
  std::uint32_t node = 0;
  friend constexpr bool operator==(const area_move&, const area_move&) = default;
};

/// What has to move so that each node has traffic as its bandwidth is of all nodes' (BATS Eq. 5, 6 and Algorithm 1). To
/// the least used node first, from the most overloaded one first, the hottest area first that neither one would
/// overshoot with; all in the order of `areas` and `nodes` where they are equal. The printed algorithm's slips are
/// mended: a move lowers what is still wanted on both sides, and the least under-used node gets its share as well. What
/// is too hot for that goes on to where it weighs least, if that node is then less loaded for its bandwidth than its
/// own was: a slow node is better idle than overloaded. Areas that are not on a known node, or not hot at all, stay; so
/// do those of nodes at most 5% above their share, of which a sample of four pages an area cannot tell.
/// `full`: by node, whether nothing more may go there; empty: none is.
std::vector<area_move> plan_moves(std::span<const area> areas, std::span<const memory_node> nodes,
                                  const std::vector<bool>& full = {});

}  // namespace jackdaw::sched
