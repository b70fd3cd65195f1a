#include "sched/leveled_stealing.hpp"

namespace jackdaw::sched {

void leveled_stealing::start(const engine& on) {
  squad_scheduler::start(on);
  paces_ = std::make_unique<pace_of_squad[]>(squads());
  // Pools are numbered in this order.
  for (std::vector<pool_id>* const of : {&high_, &low_, &above_}) {
    for (std::uint32_t i = 0; i < squads(); ++i) of->push_back(on.run.make_pool(head_of(i), access::guarded));
  }
}

void leveled_stealing::set_rule(rule now) {
  if (now == rule::levels) {
    for (std::uint32_t i = 0; i < squads(); ++i) paces_[i].of.restart();
  }
  if (rule_.exchange(now, std::memory_order_seq_cst) != now) on().rouse(everyone());
}

destination leveled_stealing::root(upper_task& task) {
  return claim_upper_tier(task) ? into_above(0, tier::upper) : plain_root();
}

/// While subgraphs are tried on squads, nothing is learned of a subgraph that another squad takes.
double leveled_stealing::patience() const noexcept {
  if (has_plain_roots()) return usual_patience;
  return current() == rule::closed ? longest_patience : long_patience;
}

void leveled_stealing::resume(worker_id self, upper_task& task) {
  if (of(task).packed && current() == rule::closed) occupy(self, task);
}

destination leveled_stealing::close(worker_id, upper_group&) {
  return {.where = destination::how::here, .as = tier::upper};
}

void leveled_stealing::end(worker_id self, upper_task& task) {
  if (of(task).packed && current() == rule::closed) release(self, task);
  if (task.parent == nullptr) leave(task);
}

bool leveled_stealing::may_take(worker_id self, pool_id from) const noexcept {
  if (from >= above_.front() || rule_.load(std::memory_order_seq_cst) != rule::closed) {
    return true;
  }
  const std::uint32_t home = squad_of(self);
  return from == high_[home] && self == head_of(home) && !is_busy(home);
}

item leveled_stealing::idle(worker_id self) {
  const rule how = current();
  const bool open = how == rule::plain || how == rule::spread;
  const std::uint32_t home = squad_of(self);
  on().set_scope(self, open ? everyone() : workers_of(home));
  if (const item own = on().pop(self, deque_kind::local)) {
    return own;
  }
  if (const item root = on().next_root(self)) {
    return root;
  }
  // Tasks that fork subtrees come before these, because other workers may wait for the subtrees.
  if (const item found = take_above(self)) {
    return found;
  }
  if (open) {
    return look_everywhere(self);
  }
  if (how == rule::levels) {
    return look_in_levels(self);
  }
  if (const item found = sweep_squad(self)) {
    return found;
  }
  // The order of these two looks does not affect the rule: but for rescues only the head makes a squad busy.
  if (self != head_of(home) || seems_busy(home)) {
    return {};
  }
  return on().take(self, high_[home], pool_end::front);
}

/// Looks into the own pools, then at any victim, then into other squads' pools.
item leveled_stealing::look_everywhere(worker_id self) {
  const std::uint32_t home = squad_of(self);
  for (const pool_id own : {high_[home], low_[home]}) {
    if (const item found = take(self, own, pool_end::front)) {
      return found;
    }
  }
  if (const item found = steal_within(self, everyone())) {
    return found;
  }
  if (const item found = take_elsewhere(self, high_)) {
    return found;
  }
  return take_elsewhere(self, low_);
}

/// The first level is one random victim; the whole squad is searched only before work is fetched from other squads. If
/// it were searched before the own pools, a free worker would join the subtrees that take longest, all on the slower
/// memory node, while subtrees of the faster one wait.
item leveled_stealing::look_in_levels(worker_id self) {
  const std::uint32_t home = squad_of(self);
  if (const item found = squad_first() ? sweep_squad(self) : steal_within(self, workers_of(home))) {
    return found;
  }
  for (const pool_id own : {high_[home], low_[home]}) {
    if (const item found = take(self, own, end_for(self, home, pool_end::front))) {
      return found;
    }
  }
  if (const item found = squad_first() ? item{} : sweep_squad(self)) {
    return found;
  }
  // Work that its own squad has not offered yet is nearer.
  if (!on().insists(self)) {
    return {};
  }
  if (const item found = take_elsewhere(self, low_)) {
    return found;
  }
  return take_elsewhere(self, high_);
}

pool_end leveled_stealing::end_of(std::uint32_t squad, upper_task& top, bool slow) noexcept {
  of(top).squad = squad;
  unstarted(top) = true;
  paces_[squad].of.place(slow);
  return slow ? pool_end::front : pool_end::back;
}

pool_end leveled_stealing::end_for(worker_id self, std::uint32_t squad, pool_end unmixed) noexcept {
  if (!mixed() || current() != rule::levels) return unmixed;
  const std::int64_t lags = paces_[squad].of.slow_lags();
  const bool slow = lags > 0 || (lags == 0 && on().random(self, draws) < slow_);
  return slow ? pool_end::front : pool_end::back;
}

/// Called under a rule other than `closed`, but `closed` may hold by now: a squad must not run two subgraphs at once.
item leveled_stealing::take(worker_id self, pool_id from, pool_end end) {
  const item found = on().take(self, from, end);
  return current() == rule::closed ? unless_forbidden(self, from, end, found) : found;
}

/// Calls look(squad) for other squads until it finds something.
template <class Look>
item leveled_stealing::look_elsewhere(worker_id self, const Look& look) {
  return nearest_first() ? look_from_near_to_far(self, look) : look_from_any(self, look);
}

/// Looks for tasks above subtrees: every squad's are for everyone, under any rule.
item leveled_stealing::take_above(worker_id self) {
  const auto look = [&](std::uint32_t squad) { return on().take(self, above_[squad], pool_end::front); };
  const item own = look(squad_of(self));
  return own ? own : look_elsewhere(self, look);
}

/// Looks into other squads' pools; unless mixed, takes what their squads would take last.
item leveled_stealing::take_elsewhere(worker_id self, const std::vector<pool_id>& pools) {
  return look_elsewhere(
      self, [&](std::uint32_t squad) { return take(self, pools[squad], end_for(self, squad, pool_end::back)); });
}

}  // namespace jackdaw::sched
