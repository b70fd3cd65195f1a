#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sched/profile.hpp"
#include "sched/scheduler.hpp"

namespace jackdaw::sched {

/// What schedulers over squads, the workers of one socket each, have in common: which squad a worker is in, which squad
/// runs a subtree that has it to itself, which root is in the upper tier, and victims. A squad's first worker is its
/// head.
class squad_scheduler : public scheduler {
 public:
  /// What it keeps of a task.
  struct task_state {
    profile* seen;  ///< what an earlier iteration showed of it, or this one shows; null: nothing
    std::uint32_t
        squad;      ///< that the task keeps busy, or that it belongs to by the rules of those that derive from this
    bool packed;    ///< it is the top of a subtree that has a squad to itself
    bool occupies;  ///< it counts among what its squad is busy with
  };
  struct decisions {
    static constexpr decision profile{"profile"};  ///< the iteration is profiled; the evidence, as a number
    /// Its tasks are stolen plainly; 0: the region is CPU-bound, or nothing is known of it yet; 1: to try it, or since
    /// that takes the least time.
    static constexpr decision plain{"plain"};
  };

  void start(const engine& on) override;
  bool tops_subtree(const upper_task& task) const noexcept override { return of(task).packed; }

 protected:
  static task_state& of(upper_task& task) noexcept { return task.own<task_state>(); }
  static const task_state& of(const upper_task& task) noexcept { return task.own<task_state>(); }
  static profile* profile_of(const upper_task& task) noexcept { return of(task).seen; }

  /// What these workers have done so far, all together.
  counts count_all(worker_range workers) const;
  task_runner& on() const noexcept { return engine_->run; }
  work_counter& count() const noexcept { return engine_->count; }
  data_mover& data() const noexcept { return engine_->data; }
  std::uint32_t squads() const noexcept { return count_; }
  std::uint32_t squad_of(worker_id worker) const noexcept { return squad_of_[worker]; }
  worker_range workers_of(std::uint32_t squad) const noexcept { return squads_[squad].workers; }
  worker_id head_of(std::uint32_t squad) const noexcept { return squads_[squad].workers.first; }
  worker_range everyone() const noexcept { return {0, on().workers() - 1}; }

  /// Groups that a root opens itself, not inside another one, are iterations of the region that their site names.
  static bool begins_iteration(const upper_group& group) noexcept {
    return group.task.parent == nullptr && group.around == nullptr;
  }
  /// One ends with the last of its root's open groups, which need not be the one that began it: until then its tasks
  /// fork.
  static bool ends_iteration(const upper_group& closed) noexcept {
    return begins_iteration(closed) && closed.task.group == &closed;
  }
  /// One root at a time is in the upper tier: whether it is this one from now on. Another one is plain: it waits for
  /// anyone, and while it is under way no worker leaves work to others for long.
  bool claim_upper_tier(const upper_task& root) noexcept;
  static destination plain_root() noexcept { return {.where = destination::how::anyone, .as = tier::lower}; }
  /// A root, of whichever kind, has ended.
  void leave(const upper_task& root) noexcept;
  bool has_plain_roots() const noexcept { return plain_roots_.load(std::memory_order_relaxed) > 0; }

  /// The squad of `self` runs `task`, which has it to itself from now on; or has not any more. Seen, as rules are, by
  /// a worker that looks again under a pool's mutex (may_take).
  void occupy(worker_id self, upper_task& task) noexcept;
  void release(worker_id self, upper_task& task) noexcept;
  bool is_busy(std::uint32_t squad) const noexcept { return squads_[squad].busy.load(std::memory_order_seq_cst) > 0; }
  /// Whether it is busy with one alone.
  bool is_busy_with_one(std::uint32_t squad) const noexcept {
    return squads_[squad].busy.load(std::memory_order_seq_cst) == 1;
  }
  /// A look ahead, which may be out of date.
  bool seems_busy(std::uint32_t squad) const noexcept {
    return squads_[squad].busy.load(std::memory_order_acquire) > 0;
  }

  /// From another worker of `range`, which `self` is in, at random.
  item steal_within(worker_id self, worker_range range);
  /// From any other worker of the squad of `self`, all of which are looked at, from a random one on.
  item sweep_squad(worker_id self);
  /// A squad other than `self`'s, the `i`th of them.
  std::uint32_t other_squad(worker_id self, std::uint32_t i) const noexcept { return i < squad_of_[self] ? i : i + 1; }
  /// What `self` took may be what another rule than its own put there: it goes back if that does not let `self` have
  /// it, to the end that it came from. Its order is lost by that, and some that come later may stand on its wrong side:
  /// they wait longer or less, and nothing else depends on it.
  item unless_forbidden(worker_id self, pool_id from, pool_end end, item found);

 private:
  struct alignas(64) squad_state {
    worker_range workers;
    std::atomic<std::uint32_t> busy{0};  // with so many; more than one only if one was taken out of turn
  };

  std::optional<engine> engine_;
  std::uint32_t count_ = 0;              // of squads
  std::vector<std::uint32_t> squad_of_;  // by worker
  std::unique_ptr<squad_state[]> squads_;
  std::atomic<const upper_task*> upper_root_{nullptr};
  std::atomic<std::uint32_t> plain_roots_{0};
};

}  // namespace jackdaw::sched
