#include "sched/squad_stealing.hpp"

#include <utility>

namespace jackdaw::sched {

void squad_stealing::start(const engine& on) {
  squad_scheduler::start(on, on.run.cache_squads());
  parts_.emplace(squads());
  seats_ = std::make_unique<seat[]>(on.run.workers());
  for (std::uint32_t i = 0; i < squads(); ++i) pools_.push_back(on.run.make_pool(head_of(i), access::guarded));
}

void squad_stealing::set_rule(rule now) {
  if (rule_.exchange(now, std::memory_order_seq_cst) != now) on().rouse(everyone());
}

destination squad_stealing::root(upper_task& task) {
  return claim_upper_tier(task) && !always_plain() ? into(0, task, tier::upper) : plain_root();
}

double squad_stealing::patience() const noexcept { return has_plain_roots() ? usual_patience : long_patience; }

void squad_stealing::resume(worker_id self, upper_task& task) {
  if (of(task).packed) {
    occupy(self, task);
  }
  if (std::exchange(mine(task).opener, false)) opened_one(of(task).squad);
}

void squad_stealing::begin_expanding(upper_task& task) noexcept {
  if (!std::exchange(mine(task).expanding, true)) parts_->begin_expanding();
}

void squad_stealing::end_expanding(upper_task& task) noexcept {
  if (!std::exchange(mine(task).expanding, false)) return;
  if (parts_->end_expanding() && own_first()) {
    for (std::uint32_t i = 0; i < squads(); ++i) on().wake(head_of(i));
  }
}

destination squad_stealing::own_part(std::uint32_t squad, upper_task& part) noexcept {
  mine(part).unopened = true;
  of(part).squad = squad;
  parts_->place(squad);
  destination where = into(squad, part, tier::lower);
  where.as = tier::upper;
  return where;
}

destination squad_stealing::open_part(upper_task& part, upper_task& child) noexcept {
  mine(part).unopened = false;
  mine(child).opener = true;
  of(child).squad = of(part).squad;
  return at_once(part);
}

void squad_stealing::opened_one(std::uint32_t squad) noexcept {
  parts_->open(squad);
  on().wake(head_of(squad));
}

void squad_stealing::wait(worker_id, upper_group& group, tier) {
  end_expanding(group.task);
  if (std::exchange(mine(group.task).unopened, false)) opened_one(of(group.task).squad);
}

destination squad_stealing::close(worker_id, upper_group& group) {
  begin_expanding(group.task);
  return {.where = destination::how::here, .as = tier::upper};
}

void squad_stealing::end(worker_id self, upper_task& task) {
  end_expanding(task);
  if (std::exchange(mine(task).unopened, false)) opened_one(of(task).squad);
  if (of(task).packed) release(self, task);
  if (task.parent == nullptr) leave(task);
}

bool squad_stealing::may_take(worker_id self, pool_id from) const noexcept {
  const std::uint32_t home = squad_of(self);
  switch (rule_.load(std::memory_order_seq_cst)) {
    case rule::closed:
      return pools_[home] == from;
    case rule::packed:
      return head_of(home) == self && !is_busy(home) && (pools_[home] == from || may_cross(home));
    case rule::spread:
      return pools_[home] == from || may_cross(home);
    case rule::plain:
      break;
  }
  return true;
}

item squad_stealing::idle(worker_id self) {
  const rule how = current();
  const std::uint32_t home = squad_of(self);
  const bool open = how == rule::plain || how == rule::spread;
  on().set_scope(self, open ? everyone() : workers_of(home));
  if (const item own = on().pop(self, deque_kind::local)) {
    return own;
  }
  if (const item root = on().next_root(self)) {
    return root;
  }
  // Read before the look at the squad's deques, which may miss what is forked after this.
  const std::uint64_t before = parts_->opened(home);
  std::uint64_t& dry = seats_[self].dry;
  // A worker searches its whole squad before it looks elsewhere. One victim may well have nothing while another has
  // plenty, and work from another squad is far from its data.
  const worker_range victims = how == rule::plain ? everyone() : workers_of(home);
  if (const item found = how == rule::spread ? sweep_squad(self) : steal_within(self, victims)) {
    dry = seat::never;
    return found;
  }
  // The order of these two looks does not affect the rule: but for rescues only the head makes a squad busy.
  if (how == rule::packed && (self != head_of(home) || seems_busy(home))) {
    return {};
  }
  if (const item found = take(self, how, pools_[home], pool_end::front)) {
    dry = seat::never;
    return found;
  }
  if (how == rule::spread && on().insists(self)) {
    dry = before;
  }
  if (how == rule::closed || squads() == 1 || (how == rule::spread && dry != before)) {
    return {};
  }
  if (how != rule::plain && !may_cross(home, before)) {
    return {};
  }
  if (const item found = take_elsewhere(self, how)) {
    return found;
  }
  return how == rule::spread ? steal_elsewhere(self) : item{};
}

/// Takes by rule `by`, which another rule may have replaced by now.
item squad_stealing::take(worker_id self, rule by, pool_id from, pool_end end) {
  const item found = on().take(self, from, end);
  return by != rule::packed && current() == rule::packed ? unless_forbidden(self, from, end, found) : found;
}

item squad_stealing::take_elsewhere(worker_id self, rule by) {
  // It takes what the other squad would take last.
  const auto look = [&](std::uint32_t squad) { return take(self, by, pools_[squad], pool_end::back); };
  return nearest_first() ? look_from_near_to_far(self, look) : look(other_squad(self, on().random(self, squads() - 1)));
}

item squad_stealing::steal_elsewhere(worker_id self) {
  if (nearest_first()) {
    return look_from_near_to_far(self, [&](std::uint32_t squad) {
      const worker_range of = workers_of(squad);
      return on().steal(self, of.first + on().random(self, of.last - of.first + 1), deque_kind::local);
    });
  }
  const worker_range near = workers_of(squad_of(self));
  const std::uint32_t size = near.last - near.first + 1;
  const worker_id victim = on().random(self, on().workers() - size);
  return on().steal(self, victim < near.first ? victim : victim + size, deque_kind::local);
}

}  // namespace jackdaw::sched
