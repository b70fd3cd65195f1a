#pragma once

#include <cstdint>
#include <vector>

#include "sched/task_runner.hpp"

namespace jackdaw::sched {

/// No node, or no squad.
inline constexpr std::uint32_t none = ~std::uint32_t{0};

/// A memory node as a scheduler sees it.
struct memory_node {
  std::uint32_t squad = none;  ///< whose workers it is local to; of several the first; none: no worker is near it
  bool fast = false;           ///< has more bandwidth than another node of its squad (HBM beside DRAM)
  double bandwidth = 1;        ///< bytes a second, or in another unit that all nodes share; > 0; nothing known: all 1
};

/// A part of the program's data that is watched and moved as a whole (BATS's logical VMA): what one leaf of an
/// initialiser touched.
struct area {
  std::uint32_t node = none;  ///< index in data_mover::nodes() of the node that has most of it; none: not known
  double heat = 0;            ///< accesses to it, by samples of them or of its pages (BATS Eq. 4)
  std::uint64_t bytes = 0;
};

/// What a scheduler may ask about the program's data: where they are, how hot they are, and to move them. `self` is the
/// worker that calls.
class data_mover {
 public:
  virtual ~data_mover() = default;

  /// Memory nodes that this process may use; there is at least one. Calls below name them by their index here.
  virtual const std::vector<memory_node>& nodes() const noexcept = 0;
  /// What `self` touches first from now on goes to that node while it has room, then to the nearest to it that has
  /// some, DRAM first. `none`: where it would go without the scheduler.
  virtual void touch_to(worker_id self, std::uint32_t node) noexcept = 0;
  /// Begins to watch how often what has been touched so far is accessed; divided into `parts` >= 1 areas of equal size,
  /// in the order of addresses, of each of which a few pages are sampled. Where that is under way it begins anew, and
  /// what has been seen is forgotten. Called between iterations.
  virtual void watch(worker_id self, std::uint32_t parts) = 0;
  /// Ends it. The areas, by number; empty: nothing could be seen. Called between iterations.
  virtual std::vector<area> watched(worker_id self) = 0;
  /// Moves area `index` of the last watched() to that node, as far as there is room and the system lets it; what
  /// follows on `self` waits for it. Bytes that have moved. Called between iterations.
  virtual std::uint64_t move_area(worker_id self, std::uint32_t index, std::uint32_t node) = 0;
};

}  // namespace jackdaw::sched
