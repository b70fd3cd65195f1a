#include "sched/squad_stealing.hpp"

#include <algorithm>

namespace jackdaw::sched {

void squad_stealing::start(engine& on) {
  engine_ = &on;
  count_ = static_cast<std::uint32_t>(on.squads().size());
  squads_ = std::make_unique<squad_state[]>(count_);
  squad_of_.resize(on.workers());
  for (std::uint32_t i = 0; i < count_; ++i) {
    squads_[i].workers = on.squads()[i].workers;
    squads_[i].pool = on.make_pool(squads_[i].head(), access::guarded);
    for (worker_id worker = squads_[i].workers.first; worker <= squads_[i].workers.last; ++worker) {
      squad_of_[worker] = i;
    }
  }
}

std::uint64_t squad_stealing::smallest_cache() const noexcept {
  std::uint64_t least = engine_->squads().front().shared_cache;
  for (const squad& each : engine_->squads()) least = std::min(least, each.shared_cache);
  return least;
}

void squad_stealing::set_rule(rule now) {
  if (rule_.exchange(now, std::memory_order_seq_cst) != now) {
    engine_->rouse({0, engine_->workers() - 1});
  }
}

placement squad_stealing::root(upper_task& task) {
  const bool plain = always_plain();
  if (!plain && !searching_.exchange(true, std::memory_order_acq_rel)) {
    return into(0, task, tier::upper);
  }
  task.packed = !plain;
  return into(turn_.fetch_add(1, std::memory_order_relaxed) % count_, task, tier::lower);
}

void squad_stealing::resume(worker_id self, upper_task& task) {
  if (task.packed) {
    occupy(self, task);
  }
}

void squad_stealing::occupy(worker_id self, upper_task& task) noexcept {
  task.packed = true;
  task.squad = squad_of(self);
  squads_[task.squad].busy.store(true, std::memory_order_seq_cst);
}

void squad_stealing::release(worker_id self, upper_task& task) noexcept {
  task.packed = false;
  squad_state& home = squads_[task.squad];
  home.busy.store(false, std::memory_order_seq_cst);
  if (home.head() != self) {
    engine_->wake(home.head());
  }
}

void squad_stealing::begin_expanding(upper_task& task) noexcept {
  if (!task.expanding) {
    task.expanding = true;
    expanding_.fetch_add(1, std::memory_order_seq_cst);
  }
}

void squad_stealing::end_expanding(upper_task& task) noexcept {
  if (!task.expanding) {
    return;
  }
  task.expanding = false;
  if (expanding_.fetch_sub(1, std::memory_order_seq_cst) == 1 && own_first()) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      engine_->wake(squads_[i].head());
    }
  }
}

void squad_stealing::wait(worker_id, upper_group& group, tier) { end_expanding(group.task); }

placement squad_stealing::close(worker_id, upper_group& group) {
  begin_expanding(group.task);
  return {.where = placement::how::here, .as = tier::upper};
}

void squad_stealing::end(worker_id self, upper_task& task) {
  end_expanding(task);
  if (task.packed) {
    release(self, task);
  } else if (task.parent == nullptr) {
    searching_.store(false, std::memory_order_release);
  }
}

bool squad_stealing::may_take(worker_id self, pool_id from) const noexcept {
  const squad_state& home = home_of(self);
  switch (rule_.load(std::memory_order_seq_cst)) {
    case rule::closed:
      return home.pool == from;
    case rule::packed:
      return home.head() == self && !home.busy.load(std::memory_order_seq_cst) && (home.pool == from || may_cross());
    case rule::spread:
      return home.pool == from || may_cross();
    case rule::plain:
      break;
  }
  return true;
}

item squad_stealing::idle(worker_id self) {
  const rule how = current();
  const squad_state& home = home_of(self);
  const worker_range all{0, engine_->workers() - 1};
  const bool open = how == rule::plain || how == rule::spread;
  engine_->set_scope(self, open ? all : home.workers);
  if (const item own = engine_->pop(self, lane::local)) {
    return own;
  }
  if (const item found = steal_within(self, how == rule::plain ? all : home.workers)) {
    return found;
  }
  // The order of these two looks does not matter to the rule: a squad becomes busy by its head alone.
  if (how == rule::packed && (self != home.head() || home.busy.load(std::memory_order_acquire))) {
    return {};
  }
  if (const item found = take(self, how, home.pool, pool_end::front)) {
    return found;
  }
  if (how == rule::closed || count_ == 1 || (how != rule::plain && !may_cross())) {
    return {};
  }
  if (const item found = take_elsewhere(self, how)) {
    return found;
  }
  return how == rule::spread ? steal_elsewhere(self) : item{};
}

item squad_stealing::steal_within(worker_id self, worker_range range) {
  if (range.first == range.last) {
    return {};
  }
  const worker_id victim = range.first + engine_->random(self, range.last - range.first);
  return engine_->steal(self, victim < self ? victim : victim + 1, lane::local);
}

/// By rule `by`, which may be another one by now: what was put by rule `packed` goes back if `self` may not have it.
item squad_stealing::take(worker_id self, rule by, pool_id from, pool_end end) {
  const item found = engine_->take(self, from, end);
  if (found && by != rule::packed && current() == rule::packed && !may_take(self, from)) {
    engine_->put(from, end, found, 0);
    return {};
  }
  return found;
}

item squad_stealing::take_elsewhere(worker_id self, rule by) {
  const std::uint32_t other = engine_->random(self, count_ - 1);
  // What the other squad would come to last.
  return take(self, by, squads_[other < squad_of_[self] ? other : other + 1].pool, pool_end::back);
}

item squad_stealing::steal_elsewhere(worker_id self) {
  const worker_range near = home_of(self).workers;
  const std::uint32_t size = near.last - near.first + 1;
  const worker_id victim = engine_->random(self, engine_->workers() - size);
  return engine_->steal(self, victim < near.first ? victim : victim + size, lane::local);
}

}  // namespace jackdaw::sched
