#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sched/fast_slow_progress.hpp"
#include "sched/squad_scheduler.hpp"

namespace jackdaw::sched {

/// Task stealing in levels over squads (BATS 7.2). A squad has two pools for tops of subtrees: one for those whose data
/// are near it (high-localised), and one for those whose data are near no squad (low-localised). It has a third one for
/// tasks above subtrees, which every worker may take: with one for all squads, workers would wait for their turns.
/// README-bats.md.
///
/// One root at a time is in the upper tier; others that arrive meanwhile are plain.
class leveled_stealing : public squad_scheduler {
 public:
  struct task_state {
    squad_scheduler::task_state squads;
    bool unstarted;  ///< it is the top of a subtree that has been placed, and has not started yet
  };
  static_assert(offsetof(task_state, squads) == 0);  // scheduler_state

  void start(const engine& on) override;
  destination root(upper_task& task) override;
  void resume(worker_id self, upper_task& task) override;
  destination close(worker_id self, upper_group& group) override;
  void end(worker_id self, upper_task& task) override;
  bool may_take(worker_id self, pool_id from) const noexcept override;
  item idle(worker_id self) override;
  double patience() const noexcept override;

 protected:
  using squad_scheduler::of;
  static bool& unstarted(upper_task& task) noexcept { return task.own<task_state>().unstarted; }

  /// Where an idle worker looks after its own deque and the pools of tasks above subtrees.
  enum class rule : std::uint8_t {
    plain,   ///< everywhere, and tasks are not placed
    spread,  ///< everywhere
    closed,  ///< in its squad's deques; if no subtree runs in its squad its head looks into the high pool
    levels,  ///< its squad's deques, high pool and low pool, then other squads' low pools, then their high pools; looks
             ///< at all deques of its squad before other squads' pools (squad_first)
  };
  /// Whether a worker under `levels` looks at all deques of its squad before its squad's pools, as the paper has it,
  /// else at one.
  virtual bool squad_first() const noexcept { return false; }
  /// Whether it asks the nearest other squads first, else all of them from a random one on, as the paper has it.
  virtual bool nearest_first() const noexcept { return true; }
  rule current() const noexcept { return rule_.load(std::memory_order_acquire); }
  /// Sets the rule for all workers from now on. Only between iterations.
  void set_rule(rule now);

  /// Keeps subtrees of slow memory nodes and of fast ones in step under `levels` from now on. The slow ones are put at
  /// the fronts of pools, the fast ones at the backs. A worker takes from the front if a smaller part of the slow ones
  /// has been started, else from the back; if neither is behind, from the front with probability `slow`. 0: from the
  /// front of the own squad's pools, from the back of others'.
  void mix(double slow) noexcept { slow_ = static_cast<std::uint32_t>(slow * draws); }
  bool mixed() const noexcept { return slow_ > 0; }
  /// Returns the end for the top of such a subtree, which is placed in a pool of `squad`.
  pool_end end_of(std::uint32_t squad, upper_task& top, bool slow) noexcept;
  /// Counts the start of a subtree, by whichever squad; does nothing if it has started before.
  void start_one(upper_task& top, bool slow) noexcept {
    if (std::exchange(unstarted(top), false)) paces_[of(top).squad].of.start(slow);
  }

  destination into_high(std::uint32_t squad, pool_end end, tier as) const noexcept {
    return {.where = destination::how::pool, .pool = high_[squad], .end = end, .as = as};
  }
  destination into_low(std::uint32_t squad, pool_end end, tier as) const noexcept {
    return {.where = destination::how::pool, .pool = low_[squad], .end = end, .as = as};
  }
  destination into_above(std::uint32_t squad, tier as) const noexcept {
    return {.where = destination::how::pool, .pool = above_[squad], .end = pool_end::back, .as = as};
  }

 private:
  pool_end end_for(worker_id self, std::uint32_t squad, pool_end unmixed) noexcept;
  item look_everywhere(worker_id self);
  item look_in_levels(worker_id self);
  item take(worker_id self, pool_id from, pool_end end);
  item take_above(worker_id self);
  template <class Look>
  item look_elsewhere(worker_id self, const Look& look);
  item take_elsewhere(worker_id self, const std::vector<pool_id>& pools);

  struct alignas(64) pace_of_squad {
    fast_slow_progress of;
  };
  static constexpr std::uint32_t draws = 1024;

  std::vector<pool_id> high_, low_, above_;  // by squad
  std::uint32_t slow_ = 0;                   // of `draws`
  std::unique_ptr<pace_of_squad[]> paces_;
  std::atomic<rule> rule_{rule::plain};
};

}  // namespace jackdaw::sched
