#include "sched/cab.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sched/cpu_bound.hpp"
#include "sched/family.hpp"

namespace jackdaw::sched {
namespace {

/// While a region is learned, tasks down to this level are of the upper tier, so that their children are counted.
constexpr unsigned learned_levels = 3;

}  // namespace

unsigned boundary_level(const settings& given, std::uint32_t squads, std::uint64_t shared_cache) {
  if (squads <= 1) return 0;
  const double b = std::log(std::max(2.0, static_cast<double>(given.branching)));
  // A boundary that is met exactly must not be missed because of rounding.
  const auto levels = [b](double parts) { return std::ceil(std::log(std::max(1.0, parts)) / b - 1e-9); };
  const double cache = static_cast<double>(std::max<std::uint64_t>(1, shared_cache));
  return 1 + static_cast<unsigned>(std::max(levels(squads), levels(static_cast<double>(given.data) / cache)));
}

void cab::open(worker_id self, upper_group& group) {
  if (begins_iteration(group)) {
    // A group that outlived the iteration may have been marked after its end.
    if (regions_.current() != nullptr && marked_.load(std::memory_order_relaxed)) regions_.current()->marked = true;
    begin(self, regions_.enter(group.site));
  } else {
    (of(group.task).packed ? below_ : groups_).fetch_add(1, std::memory_order_relaxed);
  }
}

void cab::begin(worker_id self, region& next) {
  marked_.store(next.marked, std::memory_order_relaxed);
  if (next.marked) {
    learning_ = false;
    on().note(self, decisions::marked, 1);
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
    source_ = count().profile(self, true);
    began_ = count_all(everyone());
    count().rely_on(source_);
    on().note(self, decisions::profile, static_cast<std::int64_t>(source_));
  } else {
    on().note(self, decisions::boundary, level_);
  }
  set_rule(learning_ || level_ == 0 ? rule::plain : rule::packed);
}

destination cab::close(worker_id self, upper_group& group) {
  if (ends_iteration(group)) finish(self, *regions_.current());
  // After its first group, a task at the boundary stays in the lower tier.
  if (of(group.task).packed) return {.where = destination::how::here, .as = tier::lower};
  return squad_stealing::close(self, group);
}

void cab::finish(worker_id self, region& ended) {
  if (marked_.load(std::memory_order_relaxed)) {
    ended.marked = true;
    if (learning_) count().profile(self, false);
    return;
  }
  if (!learning_) {
    const bool left_to_heads = below_.load(std::memory_order_relaxed) == 0 && on().workers() > squads();
    if (!fixed_ && ended.level > 0 && left_to_heads) {
      on().note(self, decisions::raise, ended.level);
      ended.level = ended.level > ended.least ? ended.level - 1 : 0;
    }
    return;
  }
  const counts spent = count_all(everyone()) - began_;
  // The processor's counters were refused half-way: learn again, with what is left.
  if (count().profile(self, false) != source_) return;
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

destination cab::fork(worker_id self, upper_group& group, upper_task& child) {
  if (child.inter && squads() > 1) mark(self);
  if (marked_.load(std::memory_order_acquire)) return fork_marked(self, group.task, child);
  const unsigned level = child.level + 1;
  if (level > level_) return at_once(group.task);
  children_.fetch_add(1, std::memory_order_relaxed);
  // At the boundary, too, a task is of the upper tier until it forks, which shows that it does.
  of(child).packed = level == level_ && !learning_;
  return into(squad_of(self), child, tier::upper);
}

/// Sets the rule before the first marked task is put into a pool, whichever worker marks first.
void cab::mark(worker_id self) {
  if (marked_.load(std::memory_order_acquire)) return;
  set_rule(rule::packed);
  if (!marked_.exchange(true, std::memory_order_acq_rel)) on().note(self, decisions::marked, 0);
}

destination cab::fork_marked(worker_id self, upper_task& parent, upper_task& child) {
  if (child.inter) {
    // Its level (Eq. 4) made it a leaf before any mark. Its squad must not wait for it while it waits for its child.
    if (of(parent).packed) release(self, parent);
    inner(parent) = true;
    return into(squad_of(self), child, tier::upper);
  }
  if (parent.inter && !inner(parent)) occupy(self, parent);
  return at_once(parent);
}

bool cab::places_below(const upper_group& group) const noexcept { return squads() > 1 && !of(group.task).packed; }

/// Makes "cab", and "cab:3" with boundary level 3.
family cab_schedulers() {
  static constexpr std::array<std::string_view, 1> names{"cab"};
  static constexpr std::array<std::string_view, 1> forms{"cab:LEVEL"};
  return {names,
          [](std::string_view name, const settings& given) -> std::unique_ptr<scheduler> {
            if (name == names[0]) return std::make_unique<cab>(given);
            constexpr std::string_view with_level = "cab:";
            if (!name.starts_with(with_level)) return nullptr;
            unsigned level = 0;
            const char* const last = name.data() + name.size();
            const auto [end, error] = std::from_chars(name.data() + with_level.size(), last, level);
            if (error != std::errc() || end != last || level > cab::deepest_level) return nullptr;
            return std::make_unique<cab>(given, level);
          },
          forms};
}

}  // namespace jackdaw::sched
