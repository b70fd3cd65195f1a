#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "sched/squad_scheduler.hpp"

namespace jackdaw::sched {

/// Task stealing in levels over squads (BATS 7.2). A squad has two pools for tops of
/// subtrees: one for those that find their data near it, its high-localised ones, and one for those that find them
/// nowhere, its low-localised ones. Tasks above subtrees are few and have a pool that all share. README-bats.md.
///
/// One root at a time is in the upper tier; others that arrive meanwhile are of the lower one.
class leveled_stealing : public squad_scheduler {
 public:
  void start(engine& on) override;
  placement root(upper_task& task) override;
  void resume(worker_id self, upper_task& task) override;
  placement close(worker_id self, upper_group& group) override;
  void end(worker_id self, upper_task& task) override;
  bool may_take(worker_id self, pool_id from) const noexcept override;
  item idle(worker_id self) override;

 protected:
  /// Where an idle worker looks after its own deque and the pool that all share.
  enum class rule : std::uint8_t {
    plain,   ///< everywhere, and tasks are not placed
    spread,  ///< everywhere
    closed,  ///< in its squad's deques; if no subtree runs in its squad its head looks into the high pool
    levels,  ///< its squad's deques, high pool and low pool, then other squads' low pools, then their high pools; before
             ///< other squads', every deque of its own
  };
  rule current() const noexcept { return rule_.load(std::memory_order_acquire); }
  /// Holds for all from now on. Only between iterations.
  void set_rule(rule now);

  /// From now on workers take, under `levels`, from the back of a pool with that probability, else from its front: so
  /// that those who run subtrees of a slow memory node and those who run subtrees of a fast one are as many as the nodes
  /// can serve, at any time. 0: from the front of the own squad's, from the back of others'.
  void mix(double back) noexcept { back_ = static_cast<std::uint32_t>(back * draws); }
  bool mixed() const noexcept { return back_ > 0; }

  placement into_high(std::uint32_t squad, pool_end end, tier as) const noexcept {
    return {.where = placement::how::pool, .pool = high_[squad], .end = end, .as = as};
  }
  placement into_low(std::uint32_t squad, pool_end end, tier as) const noexcept {
    return {.where = placement::how::pool, .pool = low_[squad], .end = end, .as = as};
  }
  placement into_shared(tier as) const noexcept {
    return {.where = placement::how::pool, .pool = shared_, .end = pool_end::back, .as = as};
  }

 private:
  pool_end end_for(worker_id self, pool_end unmixed) noexcept {
    if (!mixed()) return unmixed;
    return on().random(self, draws) < back_ ? pool_end::back : pool_end::front;
  }
  item look_everywhere(worker_id self);
  item look_in_levels(worker_id self);
  item take(worker_id self, pool_id from, pool_end end);
  item take_elsewhere(worker_id self, const std::vector<pool_id>& pools, pool_end end);

  static constexpr std::uint32_t draws = 1024;

  std::vector<pool_id> high_, low_;  // by squad
  pool_id shared_ = 0;
  std::uint32_t back_ = 0;  // of `draws`
  std::atomic<rule> rule_{rule::plain};
};

}  // namespace jackdaw::sched
