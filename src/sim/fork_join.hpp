#pragma once

#include "sched/scheduler.hpp"
#include "sim/frame.hpp"
#include "sim/worker.hpp"
#include "trace/task_tree.hpp"

namespace jackdaw::sim {

class simulated;

/// The effect of forks, joins and waits on simulated workers: the rules of src/runtime (see the READMEs there), with
/// frames in place of stacks. Every method is one action of one worker at one moment. Its cost is added to
/// worker::spent.
class fork_join {
 public:
  fork_join(simulated& home, const trace::task_tree& tree) noexcept : home_(home), tree_(tree) {}

  /// Makes the frame of a task that is submitted from outside. It has not begun.
  frame& make_root(const trace::root& root);
  /// Makes the next step of the worker's current frame. Leaves `current` null if this frame cannot continue now.
  void advance(worker& self);
  /// Claims an entry that was removed from a deque and returns the frame to run.
  frame& claim(const entry& taken);

  const trace::root* running() const noexcept { return root_; }
  std::uint64_t tasks_ended() const noexcept { return ended_; }
  /// The most tasks at once that were placed or have begun, and have not ended.
  std::size_t most_frames() const noexcept { return frames_.most(); }
  /// The same, counted from the last time that a root opened a group while it had none open.
  std::size_t frames_of_phase() const noexcept { return most_frames_; }
  bool idle() const noexcept { return frames_.in_use() == 0 && groups_.in_use() == 0; }

 private:
  frame& make(std::uint32_t task, group_run* member_of, std::uint32_t index);
  frame& make_base(std::uint32_t task, group_run* member_of, std::uint32_t index);
  void fork(worker& self, frame& parent, const trace::op& step);
  void place_child(worker& self, frame& parent, group_run& group, const trace::op& step);
  bool begin_invoke(worker& self, frame& parent, const trace::op& step);
  void go_on_with_invoke(worker& self, frame& parent);
  void run_branch(worker& self, frame& parent, group_run& group);
  void wait(worker& self, frame& waiter, const trace::op& step);
  void end(worker& self, frame& ended);
  void suspend(worker& self, frame& left) const;
  void expose(worker& self, frame& rest);
  void attend(worker& self);
  void resume_waiter(worker& self, group_run& group);
  group_run& open(frame& owner, std::uint32_t id);
  void close(group_run& group);
  static group_run* find(const frame& owner, std::uint32_t id) noexcept;

  simulated& home_;
  const trace::task_tree& tree_;
  recycled<frame> frames_;
  recycled<group_run> groups_;
  const trace::root* root_ = nullptr;
  std::uint64_t ended_ = 0;
  std::size_t most_frames_ = 0;  // of the phase
};

}  // namespace jackdaw::sim
