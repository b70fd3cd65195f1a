#include "sched/laws.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
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
/// A packing is tried if it could save a twentieth of the lines that come from memory, plain stealing if some
/// squads idle while others work, for a twentieth of all time: no more could be won, and less is not worth a trial.
constexpr double worth_packing = 0.95, worth_stealing = 0.05;

}  // namespace

void laws::start(const engine& on) {
  squad_stealing::start(on);
  if (which_ == variant::laws || which_ == variant::laws_nc) relocator_.start(on);
  seats_ = std::make_unique<seat[]>(on.run.workers());
  tasks_.emplace(on.run.workers());
  for (reading* const each : {&before_, &now_}) each->idle.resize(squads());
}

// ---- regions and iterations ---------------------------------------------------------------------------------------

void laws::open(worker_id self, upper_group& group) {
  if (begins_iteration(group)) {
    region& next = regions_.enter(group.site);
    of(group.task).seen = &next.root;
    // A CPU-bound region's tasks run anywhere.
    if (next.at == stage::tuned && !group.task.unshared) relocator_.begin(self, group.site);
    begin(self, next);
  }
}

void laws::begin(worker_id self, region& next) {
  next.root.forked = 0;
  if (next.at == stage::fresh) {
    begin_profile(self, next);
  } else if (next.at == stage::cpu_bound) {
    on().note(self, decisions::plain, 0);
    set_rule(rule::plain);
  } else {
    using how = arrangement::how;
    const arrangement wanted = arrangement_of(next);
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
    if (looks(next)) count().profile(self, true);
  }
  read(next, before_);
}

void laws::begin_profile(worker_id self, region& next) {
  next.root.children.clear();
  next.tuning.reset();
  next.search.reset();
  ++next.profiled;
  leaves_.store(0, std::memory_order_relaxed);
  judged_at_.store(enough_to_judge, std::memory_order_relaxed);
  took_.store(0, std::memory_order_relaxed);
  parts_.store(most_parts, std::memory_order_relaxed);
  // A region that was judged CPU-bound too early is profiled to its end the next time.
  hasty_.store(next.profiled == 1 && data_ == 0, std::memory_order_relaxed);
  const evidence source = count().profile(self, true);
  tasks_->restart(source);
  profiling_.store(true, std::memory_order_release);
  count().rely_on(source);
  on().note(self, decisions::profile, static_cast<std::int64_t>(source));
  set_rule(rule::closed);
}

arrangement laws::arrangement_of(const region& next) const {
  using how = arrangement::how;
  if (next.at != stage::tuned || which_ == variant::laws_nc || relocator_.moves()) return {how::spread};
  if (next.tuning) return next.tuning->next();
  return {how::packed, next.search ? next.search->next().value_or(next.search->best()) : step_};
}

destination laws::close(worker_id self, upper_group& group) {
  if (ends_iteration(group)) finish(self, *regions_.current());
  // A part that has been of the lower tier since its first fork (own_part) stays there.
  if (current() == rule::spread && allocate(group.task.whole).whole) return {};
  return squad_stealing::close(self, group);
}

void laws::finish(worker_id self, region& ended) {
  const reading& now = now_;
  read(ended, now_);
  if (looks(ended)) count().profile(self, false);
  if (ended.at == stage::fresh) {
    finish_profile(self, ended, now);
  } else if (ended.misfit.exchange(false, std::memory_order_relaxed) ||
             (current() == rule::packed && ended.root.forked != ended.root.children.size())) {
    // The tree differs from the profiled one. Allocation continues; tasks are packed again only if the next tree lasts.
    ended.at = ended.profiled < most_profiles ? stage::fresh : stage::shapeless;
  } else if (ended.at == stage::cpu_bound) {
    if (which_ != variant::paper && ended.times.changed(now.at - before_.at)) look_again(ended);
  } else if (ended.at == stage::tuned) {
    search(self, ended, now);
  }
}

void laws::finish_profile(worker_id self, region& ended, const reading& now) {
  profiling_.store(false, std::memory_order_release);
  // The processor's counters were refused half-way: profile again, with what is left.
  if (count().profile(self, false) != tasks_->source()) return;
  add_up(self);
  if (data_ == 0 && tasks_->most_are_cpu_bound()) {
    ended.at = stage::cpu_bound;
    ended.times = {};
    ended.root.children.clear();
    return;
  }
  if (current() == rule::plain) return;  // not placed to its end, so profile once more
  const bool shared = which_ == variant::laws && count().sees_memory();
  ended.packed.emplace(ended.root, smallest_cache(), data_,
                       shared ? packer::lines::from_memory : packer::lines::missed);
  if (!ended.packed->counted()) {
    count().rely_on(evidence::data_size);
    on().note(self, decisions::divide, static_cast<std::int64_t>(data_));
  }
  ended.packing = 0;
  const counts spent = now.done - before_.done;
  ended.from_memory = spent.local + spent.remote;
  if (which_ == variant::laws) ended.tuning.emplace(ended.packed->highest(), ended.packed->deepest());
  if (which_ == variant::paper) ended.search.emplace(ended.packed->highest(), ended.packed->deepest());
  ended.at = stage::tuned;
}

void laws::look_again(region& changed) noexcept {
  changed.at = stage::fresh;
  changed.profiled = 1;
}

// ---- the search for an arrangement --------------------------------------------------------------------------------

bool laws::looks(const region& at) const noexcept {
  return at.at == stage::tuned && at.tuning && at.tuning->looks() && !relocator_.moves();
}

/// Reads what all workers have done only if the iteration is to be judged by it. Once the search has ended only the
/// time is read, so an iteration costs the same with any number of workers.
void laws::read(const region& of, reading& into) const {
  into.at = on().now();
  if (of.at != stage::fresh && !looks(of)) return;
  into.done = count_all(everyone());
  for (std::uint32_t squad = 0; squad < squads(); ++squad) {
    const worker_range workers = workers_of(squad);
    double sum = 0;
    for (worker_id each = workers.first; each <= workers.last; ++each) sum += seats_[each].idle.idle(into.at);
    into.idle[squad] = sum / (workers.last - workers.first + 1);
  }
}

/// Returns the part of the time between two readings for which the mean worker idled beyond those of the busiest squad.
double laws::imbalance(const reading& before, const reading& after) {
  double sum = 0, least = after.at - before.at;
  for (std::size_t squad = 0; squad < before.idle.size(); ++squad) {
    const double idle = after.idle[squad] - before.idle[squad];
    sum += idle;
    least = std::min(least, idle);
  }
  return (sum / static_cast<double>(before.idle.size()) - least) / (after.at - before.at);
}

/// Only iterations that are spread tell. The profiled one ran its tasks in serial order, each squad's side by side, so
/// what it did not find in caches is about what no packing would find there. If memory accesses cannot be told from
/// others, times have to decide.
prospects laws::prospects_of(const region& ended, const reading& now) const {
  const counts spent = now.done - before_.done;
  const bool fits = ended.root.footprint <= static_cast<double>(smallest_cache()) * squads();
  const bool saves =
      static_cast<double>(spent.local + spent.remote) * worth_packing > static_cast<double>(ended.from_memory);
  return {.packing = !fits && (saves || !count().sees_memory()), .plain = imbalance(before_, now) > worth_stealing};
}

void laws::search(worker_id self, region& ended, const reading& now) {
  const double took = now.at - before_.at;
  if (ended.search && ended.search->next()) {
    ended.search->record(took);
    if (!ended.search->next()) on().note(self, decisions::settle, ended.search->tries());
  }
  if (!ended.tuning || relocator_.moves()) return;
  const bool searched = !ended.tuning->settled();
  try {
    if (ended.tuning->record(took, looks(ended) ? prospects_of(ended, now) : prospects{})) look_again(ended);
  } catch (const std::bad_alloc&) {
    return;  // this iteration teaches nothing
  }
  if (searched && ended.tuning->settled()) on().note(self, decisions::settle, ended.tuning->iterations());
}

item laws::idle(worker_id self) {
  const item found = squad_stealing::idle(self);
  looked(self, static_cast<bool>(found));
  return found;
}

void laws::rescued(worker_id self) { looked(self, true); }

void laws::looked(worker_id self, bool found) {
  seats_[self].idle.looked(found, [this] { return on().now(); });
}

// ---- what tasks miss ----------------------------------------------------------------------------------------------

void laws::resume(worker_id self, upper_task& task) {
  squad_stealing::resume(self, task);
  looked(self, true);  // it may have come another way than by idle()
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

/// Counts what the worker has done since it was last counted, for whichever task, and returns its counts.
counts laws::add_up(worker_id self) {
  const counts now = count().counts_of(self);
  tasks_->add(self, now);
  return now;
}

void laws::measure(worker_id self, const upper_task& task) {
  if (!profiling_.load(std::memory_order_acquire)) return;
  const counts now = add_up(self);
  // A task of the lower tier may end on another worker than it began on: only the sums include it.
  seat& mine = seats_[self];
  if (mine.of == &task) {
    mine.of = nullptr;
    if (profile* const of = profile_of(task)) {
      of->own = of->own + (now - mine.since);
      // Only leaves touch data (LAWS 5).
      if (task.parent != nullptr && of->children.empty()) judge_size(on().now() - mine.began);
    }
  }
  std::uint64_t at = judged_at_.load(std::memory_order_relaxed);
  if (hasty_.load(std::memory_order_relaxed) && tasks_->instructions() >= at &&
      judged_at_.compare_exchange_strong(at, 2 * at, std::memory_order_relaxed) &&
      tasks_->all_are_clearly_cpu_bound()) {
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

namespace {

/// Returns the step of "laws:STEP".
std::optional<int> fixed_step(std::string_view name) noexcept {
  constexpr std::string_view before = "laws:";
  if (!name.starts_with(before)) return {};
  int step = 0;
  const char* const last = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data() + before.size(), last, step);
  const bool fits = error == std::errc() && end == last && std::abs(step) <= laws::most_steps &&
                    name.substr(before.size()) == std::to_string(step);
  return fits ? std::optional(step) : std::nullopt;
}

}  // namespace

/// Makes those that lists show, and "laws:-2" with subtrees two levels above the first packing.
family laws_schedulers() {
  using variant = laws::variant;
  static constexpr std::array<laws::variant, 4> all{variant::cats, variant::laws, variant::laws_nc, variant::paper};
  static constexpr std::array<std::string_view, 4> names{laws::name_of(all[0]), laws::name_of(all[1]),
                                                         laws::name_of(all[2]), laws::name_of(all[3])};
  static constexpr std::array<std::string_view, 1> forms{"laws:STEP"};
  return {names,
          [](std::string_view name, const settings& given) -> std::unique_ptr<scheduler> {
            for (const laws::variant which : all) {
              if (name == laws::name_of(which)) return std::make_unique<laws>(which, given);
            }
            const std::optional<int> step = fixed_step(name);
            return step ? std::make_unique<laws>(given, *step) : nullptr;
          },
          forms};
}

}  // namespace jackdaw::sched
