#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "sched/relocator.hpp"
#include "sched/scheduler.hpp"
#include "sched/steal_ranges.hpp"

namespace jackdaw::sched {

/// Almost Deterministic Work Stealing (Shiina and Taura, SC'19).
///
/// A task whose span covers several workers is a search-root task. It is in the upper tier, runs on the rightmost
/// worker of its range (its owner) and sends each child to the owner of the child's span: by mailbox if the child is a
/// search-root task itself, else into that owner's migration queue (4.2). A child that belongs to the owner is run at
/// once, and the continuation goes to the owner's local queue; the search ends when that child needs no search itself.
///
/// Each group met in a search has a steal range. It becomes active when the search ends, its parent when the task has
/// ended. An idle worker steals within the topmost active range above the one it was given (4.3). Between the groups of
/// a search-root task the task returns to its owner, unless a range around it is already active. If a task says that
/// its parts are not to be shared (the first touch of data), the ranges of its groups stay inactive.
///
/// Only one root at a time is laid out over the workers, because two searches could meet in one mailbox. Others that
/// arrive meanwhile, or find no idle worker, run as tasks of the lower tier, in one range of all workers that is active
/// from the beginning. If the owner of a search does not come, another worker runs the search in its stead and leaves
/// the owner its own part.
///
/// Beyond the paper: data that one thread has initialised move to where the root's iterations use them (relocator).
class adws : public scheduler {
 public:
  enum class stealing { off, on };
  explicit adws(stealing mode) noexcept : steals_(mode == stealing::on) {}

  std::string_view name() const noexcept override { return steals_ ? "adws" : "adws:no-steal"; }
  bool runs_backwards() const noexcept override { return true; }
  void start(const engine& on) override { start(on, nullptr); }

  destination root(upper_task& task) override;
  void resume(worker_id self, upper_task& task) override;
  void open(worker_id self, upper_group& group) override;
  destination fork(worker_id self, upper_group& group, upper_task& child) override;
  void wait(worker_id self, upper_group& group, tier as) override;
  destination close(worker_id self, upper_group& group) override;
  void end(worker_id self, upper_task& task) override;
  item idle(worker_id self) override;
  double patience() const noexcept override;

 protected:
  /// With `shares` data move to the nodes that workers work from (relocator).
  void start(const engine& on, const memory_shares* shares);
  /// Whether data are being moved, so that times of iterations say nothing of anything else.
  bool moves_data() const noexcept { return relocator_.moves(); }
  /// Whether the program is known to declare no accesses to data: it may live from what it computes.
  bool declares_no_data() const noexcept { return relocator_.saw_none(); }

  struct task_state {
    steal_ranges::ref range;  // in which it was forked
    worker_id owner;          // the worker to which its part of the tree was sent
  };
  struct group_state {
    steal_ranges::ref range;
  };

  bool lays_out(const upper_task& root) const noexcept { return search_.load(std::memory_order_relaxed) == &root; }
  worker_range workers_of(const span& part) const noexcept { return sched::workers_of(part, on_->workers()); }
  /// Whether a search for the parts of this child is in vain, because it will fork nothing.
  virtual bool forks_nothing(const upper_task& /*child*/) const noexcept { return false; }
  /// Whether another root than the one that is laid out is under way.
  bool has_plain_roots() const noexcept { return plain_roots_.load(std::memory_order_relaxed) > 0; }
  /// Where its group's next child goes if the children are not laid out: from now on they are of the lower tier, and
  /// all workers around the group steal them. The caller uses its local deque.
  destination open_up(upper_group& group, upper_task& child) {
    of(child).range = range_of(group);
    of(child).owner = of(group.task).owner;
    activate(range_of(group), group.task);
    return {.where = destination::how::here, .as = tier::lower};
  }
  /// Whether nothing is laid out at present. Then all that is stolen lies in local deques, but for what other roots
  /// left, and a worker that does not insist looks nowhere else.
  virtual bool steals_plainly() const noexcept { return false; }
  bool uses_local(worker_id self) const noexcept { return on_->uses(self) == deque_kind::local; }
  /// Steals from any other worker's deque, whatever the ranges say; nothing while first touches are under way that are
  /// to stay with their owners.
  item steal_beyond(worker_id self);
  /// `self` has taken an item from a deque of a worker, its own or another's, and runs it next.
  virtual void found(worker_id /*self*/, item, worker_id /*in*/, deque_kind) noexcept {}

 private:
  static task_state& of(upper_task& task) noexcept { return task.own<task_state>(); }
  static const task_state& of(const upper_task& task) noexcept { return task.own<task_state>(); }
  static steal_ranges::ref& range_of(upper_group& group) noexcept { return group.own<group_state>().range; }

  /// A worker's own state; other workers only use `inbox` and `hint`.
  struct alignas(64) seat {
    pool_id inbox = 0;                     // the part of the migration queue that has not been started
    steal_ranges::places free;             // for the ranges that it opens next
    std::vector<steal_ranges::ref> chain;  // the current steal range and those around it, outermost first
    std::size_t looked = 0;                // so many of them, from the outermost on, were not active of late
    std::vector<steal_ranges::ref> climb;  // scratch
    // The last range around this worker to become active, or one around that which was active already. Used if the
    // worker's chain has ended, because the tasks sent to it were stolen or over before it came. Relaxed: reading the
    // range shows whether the name is out of date.
    std::atomic<steal_ranges::ref> hint{0};
  };

  /// At so many ranges a worker looks at once. Programs seldom nest as many searches; in longer chains a thief goes on
  /// where its last look ended, so that no look takes long.
  static constexpr std::size_t most_looks = 64;

  void adopt(worker_id self, steal_ranges::ref range) noexcept;
  void climb(seat& mine, steal_ranges::ref range);
  /// `by` is the task whose group has the range, or that was forked in it.
  void activate(steal_ranges::ref range, const upper_task& by);
  void share(steal_ranges::ref range);
  steal_ranges::ref open_shared();
  void close_shared() noexcept;
  /// Returns the range in which the worker may steal; none (first > last) if no range around its current one is active.
  worker_range refresh(worker_id self);
  worker_range outermost_active(worker_id self);
  /// Forgets the ranges at the inner end of the chain that are closed.
  void drop_closed(seat& mine) noexcept;
  /// Returns whether a range or one around it is active. A range that is too far out, or becomes active meanwhile, is
  /// missed; then a search is begun that is not needed.
  bool active_around(steal_ranges::ref range) const noexcept;
  item pop(worker_id self, deque_kind from) noexcept;
  item steal(worker_id self);
  item steal(worker_id self, worker_id victim, deque_kind from) noexcept;
  /// Returns the range in which a group opens: its task's, or that of the group around it.
  static steal_ranges::ref range_around(const upper_group& group) noexcept {
    return group.around != nullptr ? range_of(*group.around) : of(group.task).range;
  }
  /// Returns the range of a task's innermost open group, or else the range in which the task was forked.
  static steal_ranges::ref range_of(const upper_task& task) noexcept {
    return task.group != nullptr ? range_of(*task.group) : of(task).range;
  }

  const bool steals_;
  task_runner* on_ = nullptr;
  relocator relocator_;  // used by the root that is laid out, between iterations
  steal_ranges ranges_;
  std::unique_ptr<seat[]> seats_;
  std::atomic<const upper_task*> search_{nullptr};  // the root that is laid out; it has not ended
  std::atomic<std::uint32_t> unshared_{0};          // open groups of tasks that share nothing
  std::atomic<std::uint32_t> plain_roots_{0};       // the other roots that have not ended
  std::mutex sharing_;                              // guards the next two, and the number's steps from and to 0
  steal_ranges::places of_roots_;                   // for ranges that are opened outside of workers
  steal_ranges::ref shared_ = 0;                    // the range of all plain roots, while there are any
  // The same for workers without an active range of their own; a hint like theirs, which it must not replace: this
  // range may close long before theirs. Relaxed for the same reason: reading the range shows whether the name is out of
  // date, and rouse() fences before sleepers look.
  std::atomic<steal_ranges::ref> shared_hint_{0};
};

}  // namespace jackdaw::sched
