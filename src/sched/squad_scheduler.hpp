#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sched/profile.hpp"
#include "sched/scheduler.hpp"
#include "sched/upper_root.hpp"

namespace jackdaw::sched {

/// The common base of schedulers over squads, which are the workers of one socket each, or of one last-level cache. It
/// knows each worker's squad, which squad is busy with a subtree of its own, which root is in the upper tier, and how
/// to choose victims. A squad's first worker is its head.
class squad_scheduler : public scheduler {
 public:
  /// Its state of a task.
  struct task_state {
    profile* seen;  ///< what an earlier iteration, or this one, has shown of it; null: nothing
    std::uint32_t
        squad;      ///< that the task keeps busy, or to which the task belongs by the rules of the derived scheduler
    bool packed;    ///< it is the top of a subtree that has a squad to itself
    bool occupies;  ///< it counts among the tasks that keep its squad busy
  };
  struct decisions {
    static constexpr decision profile{
        "profile",
        {"profiles this iteration by the processor's counters", "profiles this iteration by declared accesses",
         "profiles this iteration by simulated counts"}};
    /// Its tasks are stolen plainly. 0: the region is CPU-bound, or nothing is known of it yet; 1: to try it, or
    /// because it takes the least time.
    static constexpr decision plain{"plain",
                                    {"steals as random does: the region is CPU-bound, or nothing is known of it yet",
                                     "steals as random does, to try it or because it takes the least time"}};
  };

  bool needs_own_threads() const noexcept override { return true; }
  void start(const engine& on) override { start(on, on.run.squads()); }
  bool tops_subtree(const upper_task& task) const noexcept override { return of(task).packed; }

 protected:
  /// Works with these squads.
  void start(const engine& on, const std::vector<squad>& all);
  static task_state& of(upper_task& task) noexcept { return task.own<task_state>(); }
  static const task_state& of(const upper_task& task) noexcept { return task.own<task_state>(); }
  static profile* profile_of(const upper_task& task) noexcept { return of(task).seen; }

  /// Returns what these workers have done so far, all together.
  counts count_all(worker_range workers) const;
  task_runner& on() const noexcept { return engine_->run; }
  work_counter& count() const noexcept { return engine_->count; }
  data_mover& data() const noexcept { return engine_->data; }
  std::uint32_t squads() const noexcept { return count_; }
  std::uint32_t squad_of(worker_id worker) const noexcept { return squad_of_[worker]; }
  worker_range workers_of(std::uint32_t squad) const noexcept { return squads_[squad].workers; }
  worker_id head_of(std::uint32_t squad) const noexcept { return squads_[squad].workers.first; }
  /// The least size in bytes of a shared cache; 0: not known.
  std::uint64_t smallest_cache() const noexcept;
  worker_range everyone() const noexcept { return {0, on().workers() - 1}; }

  bool claim_upper_tier(const upper_task& root) noexcept { return root_.claim(on(), root); }
  static destination plain_root() noexcept { return upper_root::plain(); }
  /// A root of either kind has ended.
  void leave(const upper_task& root) noexcept { root_.leave(root); }
  bool has_plain_roots() const noexcept { return root_.has_plain(); }

  /// From now on the squad of `self` runs `task` and is busy with it; release() ends that. Like changes of rules, it is
  /// seen by a worker that looks again under a pool's mutex (may_take).
  void occupy(worker_id self, upper_task& task) noexcept;
  void release(worker_id self, upper_task& task) noexcept;
  bool is_busy(std::uint32_t squad) const noexcept { return squads_[squad].busy.load(std::memory_order_seq_cst) > 0; }
  /// Whether the squad is busy with exactly one task.
  bool is_busy_with_one(std::uint32_t squad) const noexcept {
    return squads_[squad].busy.load(std::memory_order_seq_cst) == 1;
  }
  /// A quick look, which may be out of date.
  bool seems_busy(std::uint32_t squad) const noexcept {
    return squads_[squad].busy.load(std::memory_order_acquire) > 0;
  }

  /// Steals from another worker of `range`, which contains `self`, at random.
  item steal_within(worker_id self, worker_range range);
  /// Steals from another worker of the squad of `self`; looks at all of them, from a random one on.
  item sweep_squad(worker_id self);
  /// Returns the `i`th squad other than that of `self`.
  std::uint32_t other_squad(worker_id self, std::uint32_t i) const noexcept { return i < squad_of_[self] ? i : i + 1; }
  /// Returns that squad, the nearest other one, and so on.
  const std::vector<std::uint32_t>& from_near_to_far(std::uint32_t squad) const noexcept { return squads_[squad].near; }
  /// Calls look(squad) for the other squads, the nearest first and equally distant ones from a random one on, until it
  /// finds something.
  template <class Look>
  item look_from_near_to_far(worker_id self, const Look& look) {
    const squad_state& home = squads_[squad_of_[self]];
    for (std::size_t ring = 1; ring < home.rings.size(); ++ring) {
      const std::uint32_t first = home.rings[ring - 1], size = home.rings[ring] - first;
      const std::uint32_t from = size > 1 ? on().random(self, size) : 0;
      for (std::uint32_t i = 0; i < size; ++i) {
        if (const item found = look(home.near[first + (from + i) % size])) {
          return found;
        }
      }
    }
    return {};
  }
  /// The same from a random one on, wherever it is.
  template <class Look>
  item look_from_any(worker_id self, const Look& look) {
    const std::uint32_t others = squads() - 1;
    const std::uint32_t from = others > 1 ? on().random(self, others) : 0;
    for (std::uint32_t i = 0; i < others; ++i) {
      if (const item found = look(other_squad(self, (from + i) % others))) {
        return found;
      }
    }
    return {};
  }
  /// Puts `found` back at the end from which `self` took it if the present rule forbids it to `self`: it may have been
  /// put there under another rule. The item loses its order, so some later ones may be put on its wrong side; they wait
  /// longer or less, and nothing else depends on it.
  item unless_forbidden(worker_id self, pool_id from, pool_end end, item found);

 private:
  void sort_by_distance(std::uint32_t squad);

  struct alignas(64) squad_state {
    worker_range workers;
    std::vector<std::uint32_t> near;     // all squads by their distance, this one first
    std::vector<std::uint32_t> rings;    // where in `near` each greater distance begins; the last: its end
    std::atomic<std::uint32_t> busy{0};  // how many keep it busy; more than one only if one was taken out of turn
  };

  std::optional<engine> engine_;
  std::uint32_t count_ = 0;              // of squads
  std::vector<std::uint32_t> squad_of_;  // by worker
  std::unique_ptr<squad_state[]> squads_;
  upper_root root_;
};

}  // namespace jackdaw::sched
