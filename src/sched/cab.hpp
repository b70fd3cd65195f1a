#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sched/region_map.hpp"
#include "sched/settings.hpp"
#include "sched/squad_stealing.hpp"

namespace jackdaw::sched {

/// Returns the boundary level of a program (CAB, 2011, Eq. 4): the least BL at which there is a leaf inter-socket task
/// for each squad and their data fit the shared cache: max(ceil(log_B M + 1), ceil(log_B (Sd / Sc) + 1)). 0, no
/// boundary, for one squad. B is `given.branching`, at least 2; Sd `given.data`, at least 1.
unsigned boundary_level(const settings& given, std::uint32_t squads, std::uint64_t shared_cache);

/// Cache-Aware Bi-tier task stealing (Chen, Huang and Guo, ICPP 2011). Levels above the boundary level are forked
/// parent-first into the pool of the squad that forks them, wherever their data are. A task at the boundary, a leaf
/// inter-socket task, runs with all its descendants in the squad that gets it, child-first, one at a time. The root,
/// which opens a region's groups, is at level 1, as the procedure that main calls is in the paper. Without a boundary,
/// on one socket or because level 0 was requested, roots are of the lower tier.
///
/// Each region has its own level. Parameters that the settings do not give are learned in the first iteration, which is
/// stolen plainly: B from the upper levels, Sd from the cache misses of all workers. A CPU-bound region has no
/// boundary. If no task at the boundary forks, a squad's work is left to its head: the boundary is raised by a level
/// for the next iteration, unless it was requested. If no level is left with a task for each squad, the region gets no
/// boundary.
///
/// A program may mark inter-socket tasks instead (inter_spawn, III-D). From the first mark on, and in all later
/// iterations, its region has no boundary level. A marked task goes to the pool of the squad that forks it, whichever
/// task of the upper tier forks it; a task without a mark is of the lower tier. A marked task that forks an unmarked
/// child before it marks any is a leaf inter-socket task. Without a boundary marks mean nothing (Algorithm II, step 2).
class cab final : public squad_stealing {
 public:
  static constexpr unsigned deepest_level = 64;  // the deepest that can be requested

  struct task_state {
    squad_stealing::task_state stealing;
    bool inner;  ///< it has itself forked inter-socket tasks
  };
  static_assert(offsetof(task_state, stealing) == 0);  // scheduler_state
  struct decisions : squad_scheduler::decisions {
    static constexpr decision boundary{"boundary", {"takes that level for the boundary between the tiers"}};
    /// The program marks its inter-socket tasks. 0: this iteration from now on; 1: from its beginning.
    static constexpr decision marked{"marked",
                                     {"the program marks its inter-socket tasks, and this iteration had a level",
                                      "the program marks its inter-socket tasks"},
                                     decision::holds::rest};
    /// No task at that level has forked, so the next iteration gets the level above.
    static constexpr decision raise{
        "raise",
        {"no task at that level has forked, so the next iteration gets the level above"},
        decision::holds::nothing,
        "cab: no task at boundary level {} forks, so a higher one is taken; do data_size and branching fit the "
        "program?"};
  };

  explicit cab(const settings& given) : name_("cab"), given_(given) {}
  /// Uses that boundary level for all regions.
  cab(const settings& given, unsigned level)
      : name_("cab:" + std::to_string(level)), given_(given), fixed_(true), asked_(level) {}

  std::string_view name() const noexcept override { return name_; }
  void open(worker_id self, upper_group& group) override;
  destination fork(worker_id self, upper_group& group, upper_task& child) override;
  bool places_below(const upper_group& group) const noexcept override;
  destination close(worker_id self, upper_group& group) override;

 protected:
  bool always_plain() const noexcept override { return squads() == 1 || (fixed_ && asked_ == 0); }

 private:
  static bool& inner(upper_task& task) noexcept { return task.own<task_state>().inner; }

  struct region {
    bool learned = false;
    bool marked = false;
    unsigned level = 0;
    unsigned least = 0;  // the level above which there are fewer tasks than squads
  };
  unsigned least_level(unsigned branching) const noexcept {
    return boundary_level({.data = 0, .branching = branching}, squads(), smallest_cache());
  }
  void begin(worker_id self, region& next);
  void mark(worker_id self);
  destination fork_marked(worker_id self, upper_task& parent, upper_task& child);
  void finish(worker_id self, region& ended);

  const std::string name_;
  const settings given_;
  const bool fixed_ = false;  // all regions have level asked_
  const unsigned asked_ = 0;
  unsigned level_ = 0;  // of the iteration under way
  region_map<region> regions_;
  bool learning_ = false;
  std::atomic<bool> marked_{false};  // the iteration under way has inter-socket tasks that the program marked
  counts began_;
  evidence source_ = evidence::declared;
  // Of the iteration under way: groups above the boundary, their children, and groups of tasks at the boundary.
  std::atomic<std::uint64_t> groups_{0}, children_{0}, below_{0};
};

}  // namespace jackdaw::sched
