#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/task_tree.hpp"

namespace jackdaw::trace {

/// Puts a task_tree together from what happens in a serial run, in the order in which it happens: a fork begins the
/// child at once. Recordings and readers of traces both go through it, so equal runs give equal trees.
///
/// Every call says what the innermost task that has begun and not ended does. One that makes no sense throws
/// jackdaw::error, whose message says what was expected and not where.
class tree_builder {
 public:
  /// `head`: the new tree's program, workers, compute_rate and sites.
  explicit tree_builder(task_tree head = {});

  void begin_root(std::string label);
  void end_root();

  /// The task's own work, in ns >= 0. It touches all that was declared since the task's last step.
  void compute(double ns);
  /// Declares an access; compute() must follow before any other step. Costs at most an append to a small array.
  void touch(const access& what) { touched_.push_back(what); }

  /// A group of the running task, named by its index in the tree. Whoever opens one forks into it and waits for it.
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
  /// The group that the running task opened last but `back` of those that it has not waited for.
  std::uint32_t group_opened(std::size_t back) const;

  /// So far, without the steps of tasks that have not ended.
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
  std::vector<frame> frames_;  // those from depth_ on are kept for their memory
  std::size_t depth_ = 0;
  std::vector<access> touched_;
};

/// Checks what task_tree promises: each task but the roots' is the child of one fork, every group is forked into and
/// then waited for once and by one task, all indices are in range, all amounts are numbers >= 0. Throws jackdaw::error
/// that says what is wrong.
void validate(const task_tree& tree);

}  // namespace jackdaw::trace
