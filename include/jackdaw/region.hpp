#pragma once

#include <string_view>

#include "jackdaw/detail/export.hpp"

// Of the inside: not exported by a shared library.
namespace jackdaw::sched {
class upper_task;
}

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Names the region that the enclosing scope belongs to, for schedulers that learn from iteration to iteration.
///
/// A region is a part of the program that forks the same task tree again and again. The schedulers `auto`,
/// `adws:hints=both` and `learned`, `constrained`, `cab`, `cats`, `laws`, `laws:nc` and `bats` learn each region by
/// itself. They treat each group that a root task opens directly as one iteration of a region. The group may be an
/// invoke(), an algorithm or a task_group.
///
/// Without this class a region is identified by the place in the code that opens the group. Two places that work on the
/// same tree share their knowledge if they use the same name. One place that works on several trees needs several
/// names. A loop that the compiler has unrolled consists of several places, and each of them is learned by itself.
///
///     for (grid& level : levels) {
///       jackdaw::region here(level.name);
///       jackdaw::for_each(level.rows.begin(), level.rows.end(), smooth);
///     }
///
/// Regions nest: the innermost one counts. In a task that is not a root, and outside of tasks, a region has no effect.
class region {
 public:
  /// Starts the region. Regions of equal names are the same region, in the whole process.
  ///
  /// @throws std::bad_alloc if there is no memory to keep a new name.
  explicit region(std::string_view name);
  /// Ends the region. The region around it counts again. It must run in the task that started the region.
  ~region();
  /// Not copyable.
  region(const region&) = delete;
  /// Not assignable.
  region& operator=(const region&) = delete;

 private:
  sched::upper_task* task_;  // null: no scheduler needs to know
  const void* before_;
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
