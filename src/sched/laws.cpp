#include "sched/laws.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "sched/cpu_bound.hpp"
#include "sched/family.hpp"

namespace jackdaw::sched {
namespace {

/// While a region is profiled, a task whose part of a worker's share is smaller than 1 / most_parts is of the lower
/// tier: placing tasks must cost little even in programs with millions of them. If leaves turn out to take less than
/// `long_enough` ns, larger tasks are of the lower tier too, up to 1 / least_parts. Placing a task takes one or two
/// percent of that time.
constexpr std::uint32_t most_parts = 256, least_parts = 16;
constexpr double long_enough = 50'000;
/// Tasks below this level are of the lower tier too, because spans need not shrink.
constexpr std::uint32_t deepest_profiled = 200;
/// Leaves are judged in steps of this many. A step makes the placed tasks larger by a factor of at most `coarser`.
constexpr std::uint64_t leaves_to_judge = 16;
constexpr double coarser = 4;
/// After this much work (instructions, or what stands for them) it is judged whether the region is CPU-bound, then
/// after twice as much, and so on. It is about 0.1 ms of all workers together. Until then workers may have little to
/// do, because the spans of an unknown tree are a poor guess.
constexpr std::uint64_t enough_to_judge = 200'000;
/// A region whose tree differs each time is profiled this often.
constexpr unsigned most_profiles = 3;

}  // namespace

void laws::start(const engine& on) {
  squad_stealing::start(on);
  seats_ = std::make_unique<seat[]>(on.run.workers());
}

// ---- regions and iterations ---------------------------------------------------------------------------------------

void laws::open(worker_id self, upper_group& group) {
  if (begins_iteration(group)) {
    region& next = regions_.enter(group.site);
    of(group.task).seen = &next.root;
    begin(self, next);
  }
}

void laws::begin(worker_id self, region& next) {
  next.root.forked = 0;
  if (next.at == stage::fresh) {
    next.root.children.clear();
    ++next.profiled;
    for (auto* const sum : {&leaves_, &misses_, &instructions_}) sum->store(0, std::memory_order_relaxed);
    judged_at_.store(enough_to_judge, std::memory_order_relaxed);
    took_.store(0, std::memory_order_relaxed);
    parts_.store(most_parts, std::memory_order_relaxed);
    // A region that was judged CPU-bound too early is profiled to its end the next time.
    hasty_.store(next.profiled == 1 && data_ == 0, std::memory_order_relaxed);
    profile_.fetch_add(1, std::memory_order_relaxed);
    const evidence source = count().profile(self, true);
    source_.store(source, std::memory_order_relaxed);
    profiling_.store(true, std::memory_order_release);
    count().rely_on(source);
    on().note(self, decisions::profile, static_cast<std::int64_t>(source));
    set_rule(rule::closed);
  } else if (next.at == stage::cpu_bound) {
    on().note(self, decisions::plain, 0);
    set_rule(rule::plain);
  } else {
    using how = arrangement::how;
    const arrangement wanted =
        next.at == stage::tuned && which_ != variant::laws_nc ? next.tuning->next() : arrangement{how::spread};
    if (wanted.what == how::packed) {
      if (next.packing != wanted.step) next.packed->pack(wanted.step);
      next.packing = wanted.step;
      on().note(self, decisions::pack, wanted.step);
      set_rule(rule::packed);
    } else {
      const bool plain = wanted.what == how::plain;
      on().note(self, plain ? decisions::plain : decisions::spread, plain ? 1 : 0);
      set_rule(plain ? rule::plain : rule::spread);
    }
  }
  next.began = on().now();
}

destination laws::close(worker_id self, upper_group& group) {
  if (ends_iteration(group)) finish(self, *regions_.current());
  // A part that has been of the lower tier since its first fork (own_part) stays there.
  if (current() == rule::spread && allocate(group.task.whole).whole) return {};
  return squad_stealing::close(self, group);
}

void laws::finish(worker_id self, region& ended) {
  const double took = on().now() - ended.began;
  if (ended.at == stage::fresh) {
    profiling_.store(false, std::memory_order_release);
    // The processor's counters were refused half-way: profile again, with what is left.
    if (count().profile(self, false) != source_.load(std::memory_order_relaxed)) return;
    add_up(self);
    if (data_ == 0 && misses_little()) {
      ended.at = stage::cpu_bound;
      ended.root.children.clear();
      return;
    }
    if (current() == rule::plain) return;  // not placed to its end, so profile once more
    ended.packed.emplace(ended.root, smallest_cache(), data_);
    if (!ended.packed->counted()) {
      count().rely_on(evidence::data_size);
      on().note(self, decisions::divide, static_cast<std::int64_t>(data_));
    }
    ended.packing = 0;
    ended.tuning.emplace(which_ == variant::laws ? ended.packed->highest() : 0,
                         which_ == variant::laws ? ended.packed->deepest() : 0);
    ended.at = stage::tuned;
  } else if (ended.misfit.exchange(false, std::memory_order_relaxed) ||
             (current() == rule::packed && ended.root.forked != ended.root.children.size())) {
    // The tree differs from the profiled one. Allocation continues; tasks are packed again only if the next tree lasts.
    ended.at = ended.profiled < most_profiles ? stage::fresh : stage::shapeless;
  } else if (ended.at == stage::tuned && which_ == variant::laws) {
    const bool searched = !ended.tuning->settled();
    try {
      ended.tuning->record(took);
    } catch (const std::bad_alloc&) {
      return;  // this iteration teaches nothing
    }
    if (searched && ended.tuning->settled()) on().note(self, decisions::settle, ended.tuning->tried());
  }
}

// ---- what tasks miss ----------------------------------------------------------------------------------------------

void laws::resume(worker_id self, upper_task& task) {
  squad_stealing::resume(self, task);
  if (profiling_.load(std::memory_order_acquire)) {
    const counts now = add_up(self);
    seats_[self].of = &task;
    seats_[self].since = now;
    seats_[self].began = on().now();
  }
}

void laws::wait(worker_id self, upper_group& group, tier as) {
  measure(self, group.task);
  squad_stealing::wait(self, group, as);
}

void laws::end(worker_id self, upper_task& task) {
  measure(self, task);
  const profile* const seen = profile_of(task);
  if (current() == rule::packed && seen != nullptr && !of(task).packed && seen->forked < seen->children.size()) {
    regions_.current()->misfit.store(true, std::memory_order_relaxed);
  }
  squad_stealing::end(self, task);
}

/// Adds the worker's counts since it last added them, for whichever task they were, and returns its counts.
counts laws::add_up(worker_id self) {
  seat& mine = seats_[self];
  const counts now = count().counts_of(self);
  const unsigned profile = profile_.load(std::memory_order_relaxed);
  if (mine.profile == profile) {
    const counts more = now - mine.seen;
    misses_.fetch_add(more.misses, std::memory_order_relaxed);
    instructions_.fetch_add(more.instructions, std::memory_order_relaxed);
  }
  mine.profile = profile;
  mine.seen = now;
  return now;
}

bool laws::misses_little() const noexcept {
  counts all;
  all.misses = misses_.load(std::memory_order_relaxed);
  all.instructions = instructions_.load(std::memory_order_relaxed);
  return is_cpu_bound(all, source_.load(std::memory_order_relaxed));
}

void laws::measure(worker_id self, const upper_task& task) {
  if (!profiling_.load(std::memory_order_acquire)) return;
  const counts now = add_up(self);
  // A task of the lower tier may end on another worker than it began on: only the sums include it.
  seat& mine = seats_[self];
  if (mine.of == &task) {
    mine.of = nullptr;
    if (profile* const of = profile_of(task)) {
      const counts spent = now - mine.since;
      of->own.misses += spent.misses;
      of->own.instructions += spent.instructions;
      // Only leaves touch data (LAWS 5).
      if (task.parent != nullptr && of->children.empty()) judge_size(on().now() - mine.began);
    }
  }
  std::uint64_t at = judged_at_.load(std::memory_order_relaxed);
  if (hasty_.load(std::memory_order_relaxed) && instructions_.load(std::memory_order_relaxed) >= at &&
      judged_at_.compare_exchange_strong(at, 2 * at, std::memory_order_relaxed) && misses_little()) {
    set_rule(rule::plain);
  }
}

/// Judges after each step of leaves whether they are worth placing. `leaf`: the ns that one more leaf took.
void laws::judge_size(double leaf) {
  took_.fetch_add(leaf, std::memory_order_relaxed);
  if ((leaves_.fetch_add(1, std::memory_order_relaxed) + 1) % leaves_to_judge != 0) return;
  const double mean = took_.exchange(0, std::memory_order_relaxed) / static_cast<double>(leaves_to_judge);
  const std::uint32_t parts = parts_.load(std::memory_order_relaxed);
  const double wanted = parts * std::max(mean / long_enough, 1 / coarser);
  if (wanted < parts)
    parts_.store(std::max(static_cast<std::uint32_t>(wanted), least_parts), std::memory_order_relaxed);
}

// ---- where tasks go -----------------------------------------------------------------------------------------------

laws::share laws::allocate(const span& part) const noexcept {
  const auto squad_at = [&](std::uint64_t point) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(point * squads() / span::one, squads() - 1));
  };
  const std::uint32_t first = squad_at(part.begin);
  return {first, part.length() == 0 || first == squad_at(part.end - 1)};
}

destination laws::fork(worker_id self, upper_group& group, upper_task& child) {
  const rule how = current();
  if (how == rule::plain) return at_once(group.task);
  if (mine(group.task).unopened) return open_part(group.task, child);
  profile* const parent = profile_of(group.task);
  const share to = allocate(child.whole);
  if (how == rule::closed) return profile_child(child, parent, to);
  if (how == rule::packed) return pack_child(self, child, parent != nullptr ? parent->next() : nullptr, to);
  return spread_child(child, parent != nullptr ? parent->next() : nullptr, to);
}

destination laws::spread_child(upper_task& child, profile* as, share to) {
  if (as != nullptr) {
    as->forked = 0;
    of(child).seen = as;
    if (to.whole && !as->children.empty()) return own_part(to.squad, child);
  }
  return into(to.squad, child, to.whole ? tier::lower : tier::upper);
}

destination laws::profile_child(upper_task& child, profile* parent, share to) {
  if (parent != nullptr) {
    profile& grown = parent->grow();
    grown.share = static_cast<double>(child.whole.length()) / static_cast<double>(span::one);
    grown.within = to.whole;
    of(child).seen = &grown;
  }
  const std::uint64_t parts = std::uint64_t{parts_.load(std::memory_order_relaxed)} * on().workers();
  const bool deep = child.whole.length() < span::one / parts || child.level > deepest_profiled;
  destination where = into(to.squad, child, deep ? tier::lower : tier::upper);
  // In serial order, hence depth first: leaves are judged before there are many tasks, few tasks wait at a time, and a
  // search that prunes branches goes in the order that it was written for. But tasks with parts for several squads come
  // first of all, because other squads wait for these parts.
  where.end = to.whole ? pool_end::in_order : pool_end::front;
  where.order = to.whole ? child.whole.begin : 0;
  return where;
}

destination laws::pack_child(worker_id self, upper_task& child, profile* as, share to) {
  const std::uint32_t squad = which_ == variant::cats ? squad_of(self) : to.squad;
  if (as == nullptr) {
    regions_.current()->misfit.store(true, std::memory_order_relaxed);
    of(child).packed = to.whole;
    return into(squad, child, to.whole ? tier::lower : tier::upper);
  }
  as->forked = 0;
  of(child).seen = as;
  of(child).packed = as->packed;
  return into(squad, child, as->packed ? tier::lower : tier::upper);
}

family laws_schedulers() {
  static constexpr std::array<laws::variant, 3> all{laws::variant::cats, laws::variant::laws, laws::variant::laws_nc};
  static constexpr std::array<std::string_view, 3> names{laws::name_of(all[0]), laws::name_of(all[1]),
                                                         laws::name_of(all[2])};
  return {names, [](std::string_view name, const settings& given) -> std::unique_ptr<scheduler> {
            for (const laws::variant which : all) {
              if (name == laws::name_of(which)) return std::make_unique<laws>(which, given);
            }
            return nullptr;
          }};
}

}  // namespace jackdaw::sched
