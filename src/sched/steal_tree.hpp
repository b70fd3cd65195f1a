#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "sched/task_runner.hpp"

namespace jackdaw::sched {

/// Who stole what in an iteration of a region: StealTree (Lifflander, Krishnamoorthy and Kale, PLDI 2013), in which a
/// steal is known by its place in the victim's task tree. A node is a task; its children are what the task forked, in
/// serial order. Only paths to steals are kept, so the tree grows with the steals and not with the tasks. At any moment
/// at most one worker uses a node: the one that forks, runs or ends the task; after that the one that ends its parent.
struct steal_tree {
  static constexpr worker_id nobody = ~worker_id{0};

  std::vector<std::unique_ptr<steal_tree>> children;  ///< empty: nothing below was stolen, whatever was forked
  worker_id thief = nobody;                           ///< nobody: the task began where its parent had begun
  std::uint32_t turn = 0;                             ///< which of the thief's steals in its iteration it was

  bool is_stolen() const noexcept { return thief != nobody; }
  bool has_steals() const noexcept { return !children.empty(); }
  steal_tree& grow() { return *children.emplace_back(std::make_unique<steal_tree>()); }
  /// The task has ended: drops its children if neither they nor anything below them was stolen.
  void prune() noexcept {
    if (std::ranges::none_of(children, [](const auto& each) { return each->is_stolen() || each->has_steals(); })) {
      decltype(children)().swap(children);
    }
  }
  /// Calls f(thief) for each steal below.
  template <class F>
  void for_each_steal(const F& f) const {
    for (const auto& each : children) {
      if (each->is_stolen()) f(each->thief);
      each->for_each_steal(f);
    }
  }
};

}  // namespace jackdaw::sched
