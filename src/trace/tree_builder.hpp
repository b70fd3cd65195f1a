#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/task_tree.hpp"

namespace jackdaw::trace {

/// Builds a task_tree from the events of a serial run, in their order: a fork begins the child at once. Both recordings
/// and readers of traces use it, so equal runs give equal trees.
///
/// Every call is an action of the innermost task that has begun and not ended. An action that makes no sense throws
/// jackdaw::error, whose message says what was expected but names no place.
class tree_builder {
 public:
  /// `head`: the new tree's program, workers, rates and sites.
  explicit tree_builder(task_tree head = {});

  void begin_root(std::string label);
  void end_root();

  /// The task's own work, in ns >= 0. It touches everything declared since the task's last step. `vector`: it is done
  /// in vectors.
  void compute(double ns, bool vector = false);
  /// Declares an access; compute() must follow before any other step. Costs at most an append to a small array.
  void touch(const access& what) { touched_.push_back(what); }

  /// Opens a group of the running task and returns its index in the tree. The task that opens a group forks into it and
  /// waits for it.
  std::uint32_t open_group(double total, bool structured, std::uint32_t site);
  /// The running task forks, and the child begins. `hint` < 0: none. `inter`: it is an inter-socket task; no branch of
  /// an invoke is.
  void fork(std::uint32_t group, double hint, bool help_first, bool inter = false);
  /// The running child ends.
  void end_task();
  void wait(std::uint32_t group);

  /// How many accesses were declared since the last step.
  std::size_t touched() const noexcept { return touched_.size(); }
  /// How many tasks have begun and not ended.
  std::size_t depth() const noexcept { return depth_; }
  /// Returns the group opened last but `back`, of those that the running task has not waited for.
  std::uint32_t group_opened(std::size_t back) const;

  /// The tree so far, without the steps of tasks that have not ended.
  const task_tree& tree() const noexcept { return tree_; }
  std::vector<std::string>& sites() noexcept { return tree_.sites; }
  /// The tree; every root must have ended.
  task_tree finish();

 private:
  struct open {
    std::uint32_t group = 0;
    bool forked = false;
  };
  struct frame {
    std::uint32_t task = 0;
    std::vector<op> ops;
    std::vector<open> groups;  // not waited for
  };

  frame& running() noexcept { return frames_[depth_ - 1]; }
  std::vector<open>::iterator find(std::uint32_t group, const char* otherwise);
  void begin_task();
  void step();
  void close_task();

  task_tree tree_;
  std::vector<frame> frames_;  // frames from depth_ on only keep their memory for reuse
  std::size_t depth_ = 0;
  std::vector<access> touched_;
};

/// Checks what task_tree promises: each task except the roots' is the child of one fork; one task forks into each group
/// and then waits for it once; all indices are in range; all amounts are numbers >= 0. Throws jackdaw::error that says
/// what is wrong.
void validate(const task_tree& tree);

}  // namespace jackdaw::trace
