#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sched/engine.hpp"

namespace jackdaw::sched {

/// Which moves are planned beyond Algorithm 1 as it is printed.
enum class balancing : std::uint8_t {
  printed,   ///< none; and an area that fits exactly stays, because the paper asks for less than is wanted
  improved,  ///< areas too hot for Algorithm 1 go where they weigh least, if that node is then less loaded for its
             ///< bandwidth than their own was: a slow node is better idle than overloaded. Areas of nodes at most 5%
             ///< above their share stay, because a sample of four pages per area cannot tell.
};

/// Returns the moves that bring each node's share of the traffic to its share of the bandwidth (BATS Eq. 5, 6 and
/// Algorithm 1). Fills the least used node first, from the most overloaded node first, with the hottest area first that
/// overshoots neither; ties go by the order of `areas` and `nodes`. Two slips of the printed algorithm are corrected: a
/// move lowers what both sides still want, and the least under-used node gets its share too. Areas that are on no known
/// node, or not hot at all, stay. `full`: by node, whether nothing more may go there; empty: none is.
std::vector<area_move> plan_moves(std::span<const area> areas, std::span<const memory_node> nodes,
                                  const std::vector<bool>& full = {}, balancing how = balancing::improved);

}  // namespace jackdaw::sched
