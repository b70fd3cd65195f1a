#pragma once

#include <string_view>

// Of the inside: not exported by a shared library.
namespace jackdaw::sched {
class upper_task;
}

#pragma GCC visibility push(default)

namespace jackdaw {

/// While it lives, the groups that its task opens belong to the region of that name: the schedulers that learn from one
/// iteration of a region for the next (LAWS, CATS, CAB) take each group that a root task opens by itself, be it an
/// invoke, an algorithm or a task_group, for an iteration of a region. Without this class the region is the place in
/// the code that opened it, which is right where a loop forks the same tree again and again; two places that work on
/// one tree share what is known of it by sharing a name, and one place that works on several trees keeps them apart by
/// several names. A loop that the compiler has unrolled has several places, each of which is learned by itself.
///
///     for (grid& level : levels) {
///       jackdaw::region here(level.name);
///       jackdaw::for_each(level.rows.begin(), level.rows.end(), smooth);
///     }
///
/// In a task that is not a root it says nothing.
class region {
 public:
  explicit region(std::string_view name);
  ~region();
  region(const region&) = delete;
  region& operator=(const region&) = delete;

 private:
  sched::upper_task* task_;  // null: nobody would hear of it
  const void* before_;
};

}  // namespace jackdaw

#pragma GCC visibility pop
