#include "sched/balancer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace jackdaw::sched {
namespace {

constexpr double tolerance = 0.05;

/// A node's traffic, and its traffic in balance.
struct load {
  double actual = 0;                      // A
  double optimal = 0;                     // OPT
  std::vector<std::uint32_t> areas = {};  // hottest first

  double excess() const noexcept { return actual - optimal; }
  double relative(double more = 0) const noexcept { return (actual + more) / optimal; }
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
    std::sort(loads[i].areas.begin(), loads[i].areas.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(areas[b].heat, a) < std::pair(areas[a].heat, b);
    });
  }
  return loads;
}

class plan {
 public:
  plan(std::span<const area> areas, std::span<const memory_node> nodes, const std::vector<bool>& full, balancing how)
      : areas_(areas), full_(full), how_(how), loads_(loads_of(areas, nodes)), order_(nodes.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(loads_[b].excess(), a) < std::pair(loads_[a].excess(), b);
    });
    const double allowed = how == balancing::printed ? 0 : tolerance;
    for (const std::uint32_t node : order_) {
      if (loads_[node].excess() > allowed * loads_[node].optimal) overloaded_.push_back(node);
    }
  }

  /// Algorithm 1.
  void balance() {
    for (auto under = order_.rbegin(); under != order_.rend() && loads_[*under].excess() < 0; ++under) {
      if (is_full(*under)) continue;
      for (const std::uint32_t over : overloaded_) {
        if (over != *under) offload(over, *under);
      }
    }
  }

  /// Moves the areas that are too hot for that.
  void relieve() {
    for (const std::uint32_t over : overloaded_) {
      move_if(over, [&](double heat) {
        if (loads_[over].relative() <= 1 + tolerance) return none;
        const std::uint32_t to = least_loaded_with(heat, over);
        return to != none && loads_[to].relative(heat) <= loads_[over].relative() - tolerance ? to : none;
      });
    }
  }

  std::vector<area_move> take() noexcept { return std::move(moves_); }

 private:
  bool is_full(std::uint32_t node) const { return node < full_.size() && full_[node]; }

  void offload(std::uint32_t from, std::uint32_t to) {
    move_if(from, [&](double heat) {
      const double room = std::min(loads_[from].excess(), -loads_[to].excess());
      return heat < room || (heat == room && how_ != balancing::printed) ? to : none;
    });
  }

  std::uint32_t least_loaded_with(double heat, std::uint32_t other_than) const {
    std::uint32_t least = none;
    for (std::uint32_t i = 0; i < loads_.size(); ++i) {
      if (i == other_than || is_full(i)) continue;
      if (least == none || loads_[i].relative(heat) < loads_[least].relative(heat)) least = i;
    }
    return least;
  }

  /// Of the areas still on `from`, the hottest first, moves those for which where() names a node.
  template <class F>
  void move_if(std::uint32_t from, F&& where) {
    std::vector<std::uint32_t> left;
    for (const std::uint32_t index : loads_[from].areas) {
      const double heat = areas_[index].heat;
      const std::uint32_t to = where(heat);
      if (to == none) {
        left.push_back(index);
        continue;
      }
      loads_[from].actual -= heat;
      loads_[to].actual += heat;
      moves_.push_back({index, to});
    }
    loads_[from].areas = std::move(left);
  }

  std::span<const area> areas_;
  const std::vector<bool>& full_;
  const balancing how_;
  std::vector<load> loads_;
  std::vector<std::uint32_t> order_;       // nodes, the most overloaded first
  std::vector<std::uint32_t> overloaded_;  // of them
  std::vector<area_move> moves_;
};

}  // namespace

std::vector<area_move> plan_moves(std::span<const area> areas, std::span<const memory_node> nodes,
                                  const std::vector<bool>& full, balancing how) {
  plan moves(areas, nodes, full, how);
  moves.balance();
  if (how == balancing::improved) moves.relieve();
  return moves.take();
}

}  // namespace jackdaw::sched
