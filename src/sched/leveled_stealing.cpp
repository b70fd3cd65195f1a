#include "sched/leveled_stealing.hpp"

namespace jackdaw::sched {

void leveled_stealing::start(engine& on) {
  engine_ = &on;
  count_ = static_cast<std::uint32_t>(on.squads().size());
  squads_ = std::make_unique<squad_state[]>(count_);
  squad_of_.resize(on.workers());
  for (std::uint32_t i = 0; i < count_; ++i) {
    squads_[i].workers = on.squads()[i].workers;
    for (worker_id worker = squads_[i].workers.first; worker <= squads_[i].workers.last; ++worker) {
      squad_of_[worker] = i;
    }
  }
  // Pools are numbered: the squads' high ones, their low ones, the shared one.
  for (std::uint32_t i = 0; i < count_; ++i) squads_[i].high = on.make_pool(squads_[i].head(), access::guarded);
  for (std::uint32_t i = 0; i < count_; ++i) squads_[i].low = on.make_pool(squads_[i].head(), access::guarded);
  shared_ = on.make_pool(0, access::guarded);
}

void leveled_stealing::set_rule(rule now) {
  if (rule_.exchange(now, std::memory_order_seq_cst) != now) {
    engine_->rouse({0, engine_->workers() - 1});
  }
}

placement leveled_stealing::root(upper_task& task) {
  task.inner = !rooted_.exchange(true, std::memory_order_acq_rel);
  return into_shared(task.inner ? tier::upper : tier::lower);
}

void leveled_stealing::resume(worker_id self, upper_task& task) {
  if (!task.packed) {
    return;
  }
  task.squad = squad_of(self);
  if (current() == rule::closed) {
    squads_[task.squad].busy.store(true, std::memory_order_seq_cst);
  }
}

placement leveled_stealing::close(worker_id, upper_group&) {
  return {.where = placement::how::here, .as = tier::upper};
}

void leveled_stealing::end(worker_id self, upper_task& task) {
  if (task.packed && current() == rule::closed) {
    squad_state& home = squads_[task.squad];
    home.busy.store(false, std::memory_order_seq_cst);
    if (home.head() != self) {
      engine_->wake(home.head());
    }
  } else if (task.parent == nullptr && task.inner) {
    rooted_.store(false, std::memory_order_release);
  }
}

bool leveled_stealing::may_take(worker_id self, pool_id from) const noexcept {
  if (from == shared_ || rule_.load(std::memory_order_seq_cst) != rule::closed) {
    return true;
  }
  const squad_state& home = home_of(self);
  return from == home.high && self == home.head() && !home.busy.load(std::memory_order_seq_cst);
}

item leveled_stealing::idle(worker_id self) {
  const rule how = current();
  const bool open = how == rule::plain || how == rule::spread;
  const squad_state& home = home_of(self);
  engine_->set_scope(self, open ? worker_range{0, engine_->workers() - 1} : home.workers);
  if (const item own = engine_->pop(self, lane::local)) {
    return own;
  }
  // What forks subtrees comes before them, for others may wait for these.
  if (const item found = engine_->take(self, shared_, pool_end::front)) {
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
  // The order of these two looks does not matter to the rule: a squad becomes busy by its head alone.
  if (self != home.head() || home.busy.load(std::memory_order_acquire)) {
    return {};
  }
  return engine_->take(self, home.high, pool_end::front);
}

/// Own pool, any victim, another squad's pool.
item leveled_stealing::look_everywhere(worker_id self) {
  const squad_state& home = home_of(self);
  for (const pool_id own : {home.high, home.low}) {
    if (const item found = take(self, own, pool_end::front)) {
      return found;
    }
  }
  if (const item found = steal_within(self, {0, engine_->workers() - 1})) {
    return found;
  }
  if (const item found = take_elsewhere(self, &squad_state::high, pool_end::back)) {
    return found;
  }
  return take_elsewhere(self, &squad_state::low, pool_end::back);
}

/// The first level is one victim at random, and is looked through whole only before work is fetched from other squads. If
/// it were before the own pools are looked into, whoever is free would join those whose subtree takes longest, all on
/// the slower memory node, while subtrees of the faster one wait.
item leveled_stealing::look_in_levels(worker_id self) {
  const squad_state& home = home_of(self);
  if (const item found = steal_within(self, home.workers)) {
    return found;
  }
  for (const pool_id own : {home.high, home.low}) {
    if (const item found = take(self, own, end_for(self, pool_end::front))) {
      return found;
    }
  }
  if (const item found = sweep_squad(self)) {
    return found;
  }
  if (const item found = take_elsewhere(self, &squad_state::low, end_for(self, pool_end::back))) {
    return found;
  }
  return take_elsewhere(self, &squad_state::high, end_for(self, pool_end::back));
}

item leveled_stealing::steal_within(worker_id self, worker_range range) {
  if (range.first == range.last) {
    return {};
  }
  const worker_id victim = range.first + engine_->random(self, range.last - range.first);
  return engine_->steal(self, victim < self ? victim : victim + 1, lane::local);
}

/// By a rule that is not `closed`, which may hold by now: what was put by that goes back if `self` may not have it, or
/// two subgraphs would run on a squad at once.
item leveled_stealing::take(worker_id self, pool_id from, pool_end end) {
  const item found = engine_->take(self, from, end);
  if (found && current() == rule::closed && !may_take(self, from)) {
    engine_->put(from, end, found, 0);
    return {};
  }
  return found;
}

/// All others of the squad, from a random one on.
item leveled_stealing::sweep_squad(worker_id self) {
  const worker_range near = home_of(self).workers;
  const std::uint32_t others = near.last - near.first;
  const std::uint32_t from = others > 1 ? engine_->random(self, others) : 0;
  for (std::uint32_t i = 0; i < others; ++i) {
    const worker_id victim = near.first + (from + i) % others;
    if (const item found = engine_->steal(self, victim < self ? victim : victim + 1, lane::local)) {
      return found;
    }
  }
  return {};
}

/// Other squads' pools, from a random one on; unless mixed, what they would come to last.
template <class Pool>
item leveled_stealing::take_elsewhere(worker_id self, Pool of, pool_end end) {
  const std::uint32_t others = count_ - 1;
  const std::uint32_t from = others > 1 ? engine_->random(self, others) : 0;
  for (std::uint32_t i = 0; i < others; ++i) {
    const std::uint32_t other = (from + i) % others;
    const squad_state& there = squads_[other < squad_of_[self] ? other : other + 1];
    if (const item found = take(self, there.*of, end)) {
      return found;
    }
  }
  return {};
}

}  // namespace jackdaw::sched
