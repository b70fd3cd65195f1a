#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sched/engine.hpp"

namespace jackdaw::sched {

/// What one iteration of a region showed of a task. A task is known by its path, the indices of the children that lead
/// to it. At any moment at most one worker uses it: the one that runs the task.
struct profile {
  std::vector<std::unique_ptr<profile>> children;  ///< in the order of their forks
  counts own;                                      ///< of the task without its children
  double share = 1;                                ///< of the region's span
  bool within = false;                             ///< one squad has all of its span
  double footprint = 0;                            ///< SOSC: bytes of shared cache that the subtree uses (LAWS Eq. 2)
  std::uint32_t forked = 0;                        ///< children so far, in the iteration under way
  bool initial = false;                            ///< in the first packing it is the top of a subtree
  bool packed = false;                             ///< in the current packing it is
  std::uint32_t subgraph = 0;                      ///< the subgraph of such a top (BATS)
  std::uint32_t home = 0;                          ///< the squad near the memory node of its span (BATS)

  profile& grow() { return *children.emplace_back(std::make_unique<profile>()); }
  /// Returns the profile of the next child to be forked; null if the profiled iteration had none.
  profile* next() noexcept {
    const std::uint32_t index = forked++;
    return index < children.size() ? children[index].get() : nullptr;
  }
};

}  // namespace jackdaw::sched
