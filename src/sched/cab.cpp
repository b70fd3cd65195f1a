#include "sched/cab.hpp"

#include <algorithm>
#include <cmath>

#include "sched/cpu_bound.hpp"

namespace jackdaw::sched {
namespace {

/// While a region is learned, tasks down to this level are of the upper tier, so that their children are counted.
constexpr unsigned learned_levels = 3;

}  // namespace

unsigned boundary_level(const settings& given, std::uint32_t squads, std::uint64_t shared_cache) {
  if (squads <= 1) return 0;
  const double b = std::log(std::max(2.0, static_cast<double>(given.branching)));
  // A boundary that is met exactly must not be missed for a rounding.
  const auto levels = [b](double parts) { return std::ceil(std::log(std::max(1.0, parts)) / b - 1e-9); };
  const double cache = static_cast<double>(std::max<std::uint64_t>(1, shared_cache));
  return 1 + static_cast<unsigned>(std::max(levels(squads), levels(static_cast<double>(given.data) / cache)));
}

void cab::open(worker_id self, upper_group& group) {
  if (begins_iteration(group)) {
    // A group that outlived the iteration may have been marked after its end.
    if (at_ != nullptr && marked_.load(std::memory_order_relaxed)) at_->marked = true;
    at_ = &regions_[group.site];
    begin(self, *at_);
  } else {
    (group.task.packed ? below_ : groups_).fetch_add(1, std::memory_order_relaxed);
  }
}

void cab::begin(worker_id self, region& next) {
  marked_.store(next.marked, std::memory_order_relaxed);
  if (next.marked) {
    learning_ = false;
    on().note(self, decision::marked, 1);
    set_rule(rule::packed);
    return;
  }
  if (!next.learned && (fixed_ || (given_.data != 0 && given_.branching != 0))) {
    next.level = fixed_ ? asked_ : boundary_level(given_, squads(), smallest_cache());
    next.least = least_level(given_.branching);
    next.learned = true;
  }
  learning_ = !next.learned;
  level_ = learning_ ? learned_levels : next.level;
  groups_.store(1, std::memory_order_relaxed);
  children_.store(0, std::memory_order_relaxed);
  below_.store(0, std::memory_order_relaxed);
  if (learning_) {
    source_ = on().profile(self, true);
    began_ = all_counts();
    on().note(self, decision::profile, static_cast<std::int64_t>(source_));
  } else {
    on().note(self, decision::boundary, level_);
  }
  set_rule(learning_ || level_ == 0 ? rule::plain : rule::packed);
}

placement cab::close(worker_id self, upper_group& group) {
  if (ends_iteration(group)) finish(self, *at_);
  // What a task at the boundary does after its first group is of the lower tier as well.
  if (group.task.packed) return {.where = placement::how::here, .as = tier::lower};
  return squad_stealing::close(self, group);
}

void cab::finish(worker_id self, region& ended) {
  if (marked_.load(std::memory_order_relaxed)) {
    ended.marked = true;
    if (learning_) on().profile(self, false);
    return;
  }
  if (!learning_) {
    const bool left_to_heads = below_.load(std::memory_order_relaxed) == 0 && on().workers() > squads();
    if (!fixed_ && ended.level > 0 && left_to_heads) {
      on().note(self, decision::raise, ended.level);
      ended.level = ended.level > ended.least ? ended.level - 1 : 0;
    }
    return;
  }
  const counts ended_at = all_counts();
  // Counters were refused half-way: learned again, by what is left.
  if (on().profile(self, false) != source_) return;
  const counts spent{ended_at.misses - began_.misses, ended_at.instructions - began_.instructions};
  settings learned = given_;
  if (learned.branching == 0) {
    const double mean = static_cast<double>(children_.load(std::memory_order_relaxed)) /
                        static_cast<double>(groups_.load(std::memory_order_relaxed));
    learned.branching = static_cast<unsigned>(std::lround(mean));
  }
  if (learned.data == 0) learned.data = spent.misses * cache_line;
  const bool cpu_bound = given_.data == 0 && is_cpu_bound(spent, source_);
  ended.level = cpu_bound ? 0 : boundary_level(learned, squads(), smallest_cache());
  ended.least = least_level(learned.branching);
  ended.learned = true;
}

placement cab::fork(worker_id self, upper_group& group, upper_task& child) {
  if (child.inter && squads() > 1) mark(self);
  if (marked_.load(std::memory_order_acquire)) return fork_marked(self, group.task, child);
  const unsigned level = child.level + 1;
  if (level > level_) return at_once(group.task);
  children_.fetch_add(1, std::memory_order_relaxed);
  // At the boundary too a task is of the upper tier until it forks, so that it is known whether it does.
  child.packed = level == level_ && !learning_;
  return into(squad_of(self), child, tier::upper);
}

/// The rule holds before the first marked task is put into a pool, whoever marks first.
void cab::mark(worker_id self) {
  if (marked_.load(std::memory_order_acquire)) return;
  set_rule(rule::packed);
  if (!marked_.exchange(true, std::memory_order_acq_rel)) on().note(self, decision::marked, 0);
}

placement cab::fork_marked(worker_id self, upper_task& parent, upper_task& child) {
  if (child.inter) {
    // By Eq. 4, before anything was marked, it was a leaf. Its squad must not wait for it while it waits for its child.
    if (parent.packed) release(self, parent);
    parent.inner = true;
    return into(squad_of(self), child, tier::upper);
  }
  if (parent.inter && !parent.inner) occupy(self, parent);
  return at_once(parent);
}

bool cab::places_below(const upper_group& group) const noexcept { return squads() > 1 && !group.task.packed; }

counts cab::all_counts() const {
  counts sum;
  for (worker_id each = 0; each < on().workers(); ++each) {
    const counts of = on().counts_of(each);
    sum.misses += of.misses;
    sum.instructions += of.instructions;
  }
  return sum;
}

}  // namespace jackdaw::sched
