#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sched/task_runner.hpp"

namespace jackdaw::sched {

/// No node, or no squad.
inline constexpr std::uint32_t none = ~std::uint32_t{0};

/// An area of which no node has more than this part is on none, for watch_users(). What lies on two nodes in halves
/// would count for one of them by chance.
inline constexpr double part_at_home = 0.75;

/// A memory node as a scheduler sees it.
struct memory_node {
  std::uint32_t squad = none;  ///< the first squad to whose workers it is local; none: no worker is near it
  bool fast = false;           ///< has more bandwidth than another node of its squad (HBM beside DRAM)
  double bandwidth = 1;        ///< bytes a second, or another unit common to all nodes; > 0; all 1 if nothing is known
  double rate = 0;             ///< in the same unit: what one worker of its squad gets of it at most; 0: not known
  double far_rate = 0;         ///< what one worker of the squad that is worst off gets of it; 0: not known
  double far_bandwidth = 0;    ///< what all workers of that squad get of it together, by the links between; likewise
};

/// A part of the program's data that is watched and moved as a whole (BATS's logical VMA): the data that one leaf of an
/// initialiser touched.
struct area {
  std::uint32_t node = none;  ///< index in data_mover::nodes() of the node that holds most of it; none: not known
  double heat = 0;            ///< accesses to it, estimated by samples of them or of its pages (BATS Eq. 4)
  std::uint64_t bytes = 0;
  std::uint32_t user = none;  ///< the squad that accessed most of it, if watch_users() asked; none: not known
  double used = 0;            ///< the part of `heat` that is that squad's

  /// Adds all accesses of another squad.
  void add_user(std::uint32_t squad, double accesses) noexcept {
    heat += accesses;
    if (accesses <= used) return;
    user = squad;
    used = accesses;
  }
};

/// Says that an area's data are to go to another node, and what came of it.
struct area_move {
  std::uint32_t area = 0;   ///< index in the last data_mover::watched()
  std::uint32_t node = 0;   ///< index in data_mover::nodes()
  bool made = false;        ///< whether it has been tried
  std::uint64_t bytes = 0;  ///< what has moved

  friend constexpr bool operator==(const area_move&, const area_move&) = default;
};

/// A scheduler's access to the program's data: tells where they are and how hot they are, and moves them. `self` is the
/// worker that calls.
class data_mover {
 public:
  virtual ~data_mover() = default;

  /// Returns the memory nodes that this process may use, at least one. Calls below name them by their index here.
  virtual const std::vector<memory_node>& nodes() const noexcept = 0;
  /// Whether the user has said where all first touches of this process go (`numactl --interleave`).
  virtual bool user_places() const noexcept { return false; }
  /// The bytes of the program's data, as far as its allocator tells; 0: not known.
  virtual std::uint64_t program_bytes() const noexcept { return 0; }
  /// From now on the pages that `self` touches first go to that node while it has room, then to the nearest one with
  /// room, DRAM first. `none`: they go where they would without the scheduler.
  virtual void touch_to(worker_id self, std::uint32_t node) noexcept = 0;
  /// Begins to watch how often the data touched so far are accessed. They are divided, in the order of addresses, into
  /// `parts` >= 1 areas of equal size, and a few pages of each are sampled. If a watch is under way, it starts again
  /// and forgets what it has seen. Called between iterations.
  virtual void watch(worker_id self, std::uint32_t parts) = 0;
  /// Begins to watch which squads use which data, by declared accesses alone, which costs next to nothing: it may be
  /// blind to those after the first some thousand. Data of which the program has said on which nodes they are are in no
  /// area. Otherwise as watch(); heat is in declared lines, and an area's node has more than part_at_home of it.
  virtual void watch_users(worker_id self, std::uint32_t parts) = 0;
  /// Ends a watch of either kind. Returns the areas, by number; empty: nothing was seen. Called between iterations.
  virtual std::vector<area> watched(worker_id self) = 0;
  /// Moves areas of the last watched(), each as far as there is room, the system allows it, and the data are still
  /// there. Moves to nodes of different squads go side by side: for each squad one of its workers, or a thread on its
  /// processors, makes them in their order. `self` makes those of its own squad, and waits until all are done (in
  /// a simulation, only after its call of the scheduler has returned). When `most` ns are over, each squad's next moves
  /// are not made, other than its first; in a simulation all are. Once nothing of an area has fitted onto a node, other
  /// moves to it count as made. Says of each move what came of it. Called between iterations. Throws std::bad_alloc
  /// before anything moves.
  virtual void move_areas(worker_id self, std::span<area_move> moves, double most) = 0;
};

}  // namespace jackdaw::sched
