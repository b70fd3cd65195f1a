#pragma once

#include <memory>

#include "jackdaw/arena.hpp"
#include "tbb/inbox.hpp"
#include "tbb/layout.hpp"

namespace tbb::detail::r1 {

/// What a task_arena refers to: a runtime of jackdaw's, or an arena of one, and the tasks that are on their way to it.
/// It is never destroyed, as tasks may still be in it: arenas with equal options follow one another in the same one.
class arena {
 public:
  /// `how` is null for the arena that threads are in that are in no other one: the whole of the default runtime.
  explicit arena(const jackdaw::arena_options* how = nullptr);
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  /// Returns the runtime that runs the arena's tasks; it may be another one after a fork().
  jackdaw::runtime& engine();
  /// Returns how many workers it has.
  int workers();
  bool is_default() const noexcept { return inside_ == nullptr; }

  /// Lets a worker of the arena run the task.
  void put(jackdaw::onetbb::record& one);
  jackdaw::onetbb::inbox& waiting() noexcept { return waiting_; }
  /// The group of tasks that are in no other one.
  d1::task_group_context& common() noexcept { return common_; }

  std::atomic<int> users{0};  ///< task_arenas that refer to it

 private:
  jackdaw::onetbb::inbox waiting_;
  const std::unique_ptr<jackdaw::runtime> inside_;
  d1::task_group_context common_{d1::task_group_context::isolated};
};

}  // namespace tbb::detail::r1

namespace jackdaw::onetbb {

/// Returns the arena that the calling code forks in.
arena& this_arena();
/// Returns the arena of code that is in no other one.
arena& default_arena();

/// Returns an arena with these options that no task_arena refers to.
arena& take_arena(const arena_options& how);
/// A task_arena refers to it no longer.
void drop(arena& of) noexcept;
/// Called in the child of a fork().
void forget_arenas() noexcept;
/// Ends the arenas that no task_arena refers to. False: there are others.
bool end_unused_arenas();

}  // namespace jackdaw::onetbb
