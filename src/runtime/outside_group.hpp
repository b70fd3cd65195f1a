#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

#include "jackdaw/detail/root.hpp"
#include "jackdaw/detail/task.hpp"
#include "jackdaw/task_group.hpp"

namespace jackdaw::detail {

/// Where threads that are no workers wait for the children of their groups. They do not wait in the group, because it
/// may be gone before its last child has woken the thread. There are several such places, because all threads that wait
/// at one are woken.
struct meeting_point {
  std::mutex mutex;
  std::condition_variable group_ended;
  std::size_t children = 0;  // of all groups at this place, in this process; guarded by mutex

  static meeting_point& of(const task_group& group) noexcept;

  /// Counts a child that is sent.
  void begin();
  void is_not_sent();
  /// Counts off a child, with the mutex held. `last`: it was the last of its group.
  void end(bool last) noexcept;
};

/// A child of the group of a thread that is no worker, sent to the default runtime.
class outside_child final : public root {
 public:
  explicit outside_child(task* child) noexcept : child_(child), group_(*child->group) {}

  void run() override;
  /// Counts the child off its group; no thread waits for this root itself.
  void end() override;

 private:
  std::unique_ptr<task> child_;
  task_group& group_;
};

}  // namespace jackdaw::detail
