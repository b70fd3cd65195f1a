#include "sched/squad_scheduler.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

namespace jackdaw::sched {

void squad_scheduler::start(const engine& on, const std::vector<squad>& all) {
  engine_.emplace(on);
  count_ = static_cast<std::uint32_t>(all.size());
  squads_ = std::make_unique<squad_state[]>(count_);
  squad_of_.resize(on.run.workers());
  for (std::uint32_t i = 0; i < count_; ++i) {
    const worker_range workers = squads_[i].workers = all[i].workers;
    for (worker_id worker = workers.first; worker <= workers.last; ++worker) squad_of_[worker] = i;
  }
  for (std::uint32_t i = 0; i < count_; ++i) sort_by_distance(i);
}

void squad_scheduler::sort_by_distance(std::uint32_t squad) {
  squad_state& home = squads_[squad];
  const auto distance = [&](std::uint32_t to) {
    return to == squad ? 0 : 1 + on().distance(head_of(squad), head_of(to));
  };
  home.near.resize(count_);
  std::iota(home.near.begin(), home.near.end(), 0U);
  std::ranges::sort(home.near, {}, [&](std::uint32_t to) { return std::pair(distance(to), to); });
  for (std::uint32_t i = 1; i < count_; ++i) {
    if (distance(home.near[i]) > distance(home.near[i - 1])) home.rings.push_back(i);
  }
  home.rings.push_back(count_);
}

std::uint64_t squad_scheduler::smallest_cache() const noexcept {
  std::uint64_t least = on().cache_squads().front().shared_cache;
  for (const squad& each : on().cache_squads()) least = std::min(least, each.shared_cache);
  return least;
}

counts squad_scheduler::count_all(worker_range workers) const {
  counts sum;
  for (worker_id each = workers.first; each <= workers.last; ++each) sum = sum + count().counts_of(each);
  return sum;
}

void squad_scheduler::occupy(worker_id self, upper_task& task) noexcept {
  task_state& state = of(task);
  state.packed = true;
  if (std::exchange(state.occupies, true)) return;  // it has waited and resumes, in whichever squad
  state.squad = squad_of(self);
  squads_[state.squad].busy.fetch_add(1, std::memory_order_seq_cst);
}

void squad_scheduler::release(worker_id self, upper_task& task) noexcept {
  task_state& state = of(task);
  state.packed = false;
  if (!std::exchange(state.occupies, false)) return;
  if (squads_[state.squad].busy.fetch_sub(1, std::memory_order_seq_cst) > 1) return;
  if (head_of(state.squad) != self) on().wake(head_of(state.squad));
}

item squad_scheduler::steal_within(worker_id self, worker_range range) {
  if (range.first == range.last) return {};
  const worker_id victim = range.first + on().random(self, range.last - range.first);
  return on().steal(self, victim < self ? victim : victim + 1, deque_kind::local);
}

item squad_scheduler::sweep_squad(worker_id self) {
  const worker_range near = workers_of(squad_of(self));
  const std::uint32_t others = near.last - near.first;
  const std::uint32_t from = others > 1 ? on().random(self, others) : 0;
  for (std::uint32_t i = 0; i < others; ++i) {
    const worker_id victim = near.first + (from + i) % others;
    if (const item found = on().steal(self, victim < self ? victim : victim + 1, deque_kind::local)) {
      return found;
    }
  }
  return {};
}

item squad_scheduler::unless_forbidden(worker_id self, pool_id from, pool_end end, item found) {
  if (!found || may_take(self, from)) return found;
  try {
    on().put(from, end, found, 0);
  } catch (const std::bad_alloc&) {
    return found;  // better a broken rule than a lost task
  }
  return {};
}

}  // namespace jackdaw::sched
