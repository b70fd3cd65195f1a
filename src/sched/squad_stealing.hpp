#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sched/squad_readiness.hpp"
#include "sched/squad_scheduler.hpp"

namespace jackdaw::sched {

/// Task stealing in two tiers over squads: the part that CAB (2011, III and Algorithm I) and LAWS (2015, 3.4) share. A
/// squad is the workers of one last-level cache (task_runner::cache_squads), which the papers' sockets have one of; it
/// has a pool for tasks of the upper tier and for tops of subtrees of the lower tier; tasks of the lower tier are
/// stolen within a squad.
///
/// A packed task is the top of a subtree that has a squad to itself. While it runs the squad is busy. Only the head
/// fetches the next one, from the squad's own pool or, if that is empty, whole from another squad's. A task of the
/// upper tier does not make a squad busy: if it did, a task that waits for its children would keep its squad from
/// running them. It may become a packed task when it forks into the lower tier (occupy).
///
/// One root at a time is in the upper tier; others that arrive meanwhile are plain.
class squad_stealing : public squad_scheduler {
 public:
  struct task_state {
    squad_scheduler::task_state squads;
    bool expanding;  ///< it may fork tasks of the upper tier before it waits or ends
    bool unopened;   ///< it is a squad's own part, and has not forked anything yet
    bool opener;     ///< it is the first task that such a part forked, and has not started yet
  };
  static_assert(offsetof(task_state, squads) == 0);  // scheduler_state

  bool has_cache_squads() const noexcept override { return true; }
  void start(const engine& on) override;
  destination root(upper_task& task) override;
  void resume(worker_id self, upper_task& task) override;
  destination close(worker_id self, upper_group& group) override;
  void wait(worker_id self, upper_group& group, tier as) override;
  void end(worker_id self, upper_task& task) override;
  bool may_take(worker_id self, pool_id from) const noexcept override;
  item idle(worker_id self) override;
  double patience() const noexcept override;

 protected:
  using squad_scheduler::of;
  static task_state& mine(upper_task& task) noexcept { return task.own<task_state>(); }

  /// Where an idle worker looks after its own deque.
  enum class rule : std::uint8_t {
    plain,   ///< everywhere, as if there were no squads
    closed,  ///< in its squad and its squad's pool
    spread,  ///< in its squad and its squad's pool, then in other squads and their pools
    packed,  ///< in its squad; if that is not busy its head looks into the squad's pool, then into other squads'
  };
  rule current() const noexcept { return rule_.load(std::memory_order_acquire); }
  /// Sets the rule for all workers from now on.
  void set_rule(rule now);

  /// Marks a task that is of the upper tier from now on; or one that no longer is, waits or has ended.
  void begin_expanding(upper_task& task) noexcept;
  void end_expanding(upper_task& task) noexcept;
  /// Whether the scheduler neither learns anything of a program nor packs it: then all of it is of the lower tier.
  virtual bool always_plain() const noexcept { return false; }
  /// Whether squads take from others only after every task of the upper tier has forked all its children, because only
  /// then does an empty pool stay empty (LAWS 3.4: after all the tasks in the squad's own pool). They also wait until
  /// the tasks of their own parts can be found (own_part).
  virtual bool own_first() const noexcept { return false; }

  /// Whether a squad looks at the nearest other squads first, else at a random one as the papers have it.
  virtual bool nearest_first() const noexcept { return false; }

  /// Puts a task into a squad's pool, in serial order, because programs are written for that order in their use of
  /// caches and the bounds of searches. Tasks that will fork subtrees go before all others, which may have to wait for
  /// them.
  destination into(std::uint32_t squad, upper_task& task, tier as) noexcept {
    if (as == tier::upper) {
      begin_expanding(task);
    }
    const bool forks = as == tier::upper && !of(task).packed;
    return {.where = destination::how::pool,
            .pool = pools_[squad],
            .end = pool_end::in_order,
            .order = (forks ? 0 : span::one) + task.whole.begin,
            .as = as};
  }
  /// The same for the whole of a squad's part of an iteration, if it is known to fork: it is of the upper tier up to
  /// its first fork (open_part). Until then other workers of the squad find nothing. They had better wait than begin
  /// with data of another squad, which would keep them for long.
  destination own_part(std::uint32_t squad, upper_task& part) noexcept;
  /// Runs the first child of such a part at once; when it starts, the part's continuation can be stolen.
  destination open_part(upper_task& part, upper_task& child) noexcept;
  /// Runs a child at once; the parent's continuation can be stolen. Both are of the lower tier.
  destination at_once(upper_task& parent) noexcept {
    end_expanding(parent);
    return {.where = destination::how::here, .as = tier::lower};
  }

 private:
  struct alignas(64) seat {
    static constexpr auto never = ~std::uint64_t{0};
    std::uint64_t dry = never;  // how many parts the squad had opened when an insisting look found it empty
  };

  bool may_cross(std::uint32_t home) const noexcept { return may_cross(home, parts_->opened(home)); }
  bool may_cross(std::uint32_t home, std::uint64_t opened) const noexcept {
    return !own_first() || parts_->none_to_come(home, opened);
  }
  void opened_one(std::uint32_t squad) noexcept;
  item take(worker_id self, rule by, pool_id from, pool_end end);
  item take_elsewhere(worker_id self, rule by);
  item steal_elsewhere(worker_id self);

  std::vector<pool_id> pools_;  // by squad
  std::optional<squad_readiness> parts_;
  std::unique_ptr<seat[]> seats_;  // by worker
  std::atomic<rule> rule_{rule::plain};
};

}  // namespace jackdaw::sched
