#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "sched/scheduler.hpp"
#include "sched/steal_ranges.hpp"

namespace jackdaw::sched {

/// Almost Deterministic Work Stealing (Shiina and Taura, SC'19).
///
/// A task whose span covers several workers is a search-root task: it is in the upper tier, runs on the rightmost
/// worker of its range (its owner) and sends each child to the owner of the child's span, by mailbox if the child is a
/// search-root task itself, else into the owner's migration queue (4.2). A child that belongs to the owner is run at
/// once, and what follows goes to the owner's local queue; that ends the search when the child needs no search itself.
///
/// Each group met in a search has a steal range. It becomes active when the search ends, its parent when the task has
/// ended; an idle worker steals within the topmost active range above the one it was given (4.3). Between the groups of
/// a search-root task the task returns to its owner, unless a range around it is active already. Where a task says that
/// its parts are not to be shared (the first touch of data) its groups' ranges stay inactive.
///
/// One root at a time is laid out, for two searches could meet in one mailbox. Others that arrive meanwhile run as
/// tasks of the lower tier, in one range of all workers that is active from the beginning. A search whose owner does
/// not come is run by another worker in its stead, which leaves the owner its own part.
class adws final : public scheduler {
 public:
  enum class stealing { off, on };
  explicit adws(stealing mode) noexcept : steals_(mode == stealing::on) {}

  std::string_view name() const noexcept override { return steals_ ? "adws" : "adws:no-steal"; }
  bool runs_backwards() const noexcept override { return true; }
  void start(const engine& on) override;

  destination root(upper_task& task) override;
  void resume(worker_id self, upper_task& task) override;
  void open(worker_id self, upper_group& group) override;
  destination fork(worker_id self, upper_group& group, upper_task& child) override;
  void wait(worker_id self, upper_group& group, tier as) override;
  destination close(worker_id self, upper_group& group) override;
  void end(worker_id self, upper_task& task) override;
  item idle(worker_id self) override;
  double patience() const noexcept override;

 private:
  struct task_state {
    steal_ranges::ref range;  // that it was forked in
    worker_id owner;          // the worker that its part of the tree was sent to
  };
  static task_state& of(upper_task& task) noexcept { return task.own<task_state>(); }
  static const task_state& of(const upper_task& task) noexcept { return task.own<task_state>(); }
  static steal_ranges::ref& range_of(upper_group& group) noexcept { return group.own<steal_ranges::ref>(); }

  /// A worker's own; of the rest no other one looks at it.
  struct alignas(64) seat {
    pool_id inbox = 0;                     // the part of the migration queue that has not been started
    std::vector<steal_ranges::ref> chain;  // the current steal range and those around it, outermost first
    std::vector<steal_ranges::ref> climb;  // scratch
    // The last range around this worker to become active: for one whose chain has ended, because what it was handed was
    // stolen or over before it came. Relaxed: a name that is out of date is found to be so when the range is read.
    std::atomic<steal_ranges::ref> hint{0};
  };

  worker_range workers_of(const span& part) const noexcept { return sched::workers_of(part, on_->workers()); }
  void adopt(worker_id self, steal_ranges::ref range) noexcept;
  void climb(seat& mine, steal_ranges::ref range);
  /// By a task whose group or neighbours the range is of.
  void activate(steal_ranges::ref range, const upper_task& by);
  void share(steal_ranges::ref range);
  steal_ranges::ref open_shared();
  void close_shared() noexcept;
  /// The range that the worker may steal in; none (first > last) if there is no active one around its current one.
  worker_range refresh(worker_id self);
  worker_range outermost_active(seat& mine);
  bool active_around(steal_ranges::ref range) const;
  item steal(worker_id self);
  /// The range that a group opens in: its task's, or that of the group around it.
  static steal_ranges::ref range_around(const upper_group& group) noexcept {
    return group.around != nullptr ? range_of(*group.around) : of(group.task).range;
  }
  /// The range that a task was forked in, or that its innermost open group has.
  static steal_ranges::ref range_of(const upper_task& task) noexcept {
    return task.group != nullptr ? range_of(*task.group) : of(task).range;
  }

  const bool steals_;
  task_runner* on_ = nullptr;
  steal_ranges ranges_;
  std::unique_ptr<seat[]> seats_;
  std::atomic<const upper_task*> search_{nullptr};  // the root that is laid out; it has not ended
  std::atomic<std::uint32_t> unshared_{0};          // open groups of tasks that share nothing
  std::atomic<std::uint32_t> plain_roots_{0};       // that are not laid out and have not ended
  std::mutex sharing_;                              // for the next, and for the number's steps from and to 0
  steal_ranges::ref shared_ = 0;                    // the range of all plain roots, while there are any
};

}  // namespace jackdaw::sched
