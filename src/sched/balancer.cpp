#include "sched/balancer.hpp"

#include <algorithm>
#include <numeric>

namespace jackdaw::sched {
namespace {

constexpr double tolerance = 0.05;

/// A node's traffic, and what it would be in balance.
struct load {
  double actual = 0;                      // A
  double optimal = 0;                     // OPT
  std::vector<std::uint32_t> areas = {};  // hottest first

  double excess() const noexcept { return actual - optimal; }
};

std::vector<load> loads_of(std::span<const area> areas, std::span<const memory_node> nodes) {
  std::vector<load> loads(nodes.size());
  double traffic = 0;
  double bandwidth = 0;
  for (std::uint32_t i = 0; i < areas.size(); ++i) {
    if (areas[i].node >= nodes.size() || areas[i].heat <= 0) continue;
    loads[areas[i].node].actual += areas[i].heat;
    loads[areas[i].node].areas.push_back(i);
    traffic += areas[i].heat;
  }
  for (const memory_node& node : nodes) bandwidth += node.bandwidth;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    loads[i].optimal = traffic * nodes[i].bandwidth / bandwidth;
    std::stable_sort(loads[i].areas.begin(), loads[i].areas.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return areas[a].heat > areas[b].heat; });
  }
  return loads;
}

/// Moves the hottest areas that fit, of those that are still on `from`.
void offload(load& from, load& to, std::uint32_t node, std::span<const area> areas, std::vector<area_move>& moves) {
  const auto stays = [&](std::uint32_t index) {
    const double heat = areas[index].heat;
    if (heat > from.excess() || heat > -to.excess()) return true;
    from.actual -= heat;
    to.actual += heat;
    moves.push_back({index, node});
    return false;
  };
  std::vector<std::uint32_t> left;
  left.reserve(from.areas.size());
  std::copy_if(from.areas.begin(), from.areas.end(), std::back_inserter(left), stays);
  from.areas = std::move(left);
}

}  // namespace

std::vector<area_move> plan_moves(std::span<const area> areas, std::span<const memory_node> nodes,
                                  const std::vector<bool>& full) {
  std::vector<load> loads = loads_of(areas, nodes);
  std::vector<std::uint32_t> order(nodes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return loads[a].excess() > loads[b].excess(); });
  std::vector<std::uint32_t> overloaded;
  for (const std::uint32_t node : order) {
    if (loads[node].excess() > tolerance * loads[node].optimal) overloaded.push_back(node);
  }
  std::vector<area_move> moves;
  for (auto under = order.rbegin(); under != order.rend() && loads[*under].excess() < 0; ++under) {
    if (*under < full.size() && full[*under]) continue;
    for (const std::uint32_t over : overloaded) {
      if (over != *under) offload(loads[over], loads[*under], *under, areas, moves);
    }
  }
  return moves;
}

}  // namespace jackdaw::sched
