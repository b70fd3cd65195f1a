#include "sched/bats.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "sched/balancer.hpp"
#include "sched/family.hpp"

namespace jackdaw::sched {
namespace {

/// While a tree is learned, a task whose part of a worker's share is smaller than 1 / parts_learned is of the lower
/// tier.
constexpr std::uint64_t parts_learned = 256;
/// Tasks below this level are of the lower tier too, because spans need not shrink.
constexpr std::uint32_t deepest_learned = 200;
/// A region whose tree differs each time is learned this often.
constexpr unsigned most_learned = 3;
/// The number of iterations that a region waits for another one's watch to end. Then it restarts the watch as its own.
constexpr unsigned most_waited = 4;
/// The most times that new regions restart the watch.
constexpr unsigned most_watches = 16;

std::uint32_t leaves_of(const profile& of) {
  std::uint32_t sum = of.children.empty() ? 1 : 0;
  for (const auto& child : of.children) sum += leaves_of(*child);
  return sum;
}

}  // namespace

void bats::start(const engine& on) {
  leveled_stealing::start(on);
  nodes_of_.emplace(on.data.nodes(), told_.order, which_.weighted);
  double all = 0, fast = 0;
  for (const memory_node& each : on.data.nodes()) {
    all += each.bandwidth;
    fast += each.fast ? each.bandwidth : 0;
  }
  mix(fast > 0 && !which_.by.printed ? (all - fast) / all : 0);
  seats_ = std::make_unique<seat[]>(on.run.workers());
  squad_seats_ = std::make_unique<squad_seat[]>(squads());
  tasks_.emplace(on.run.workers());
}

// ---- regions and iterations ---------------------------------------------------------------------------------------

void bats::open(worker_id self, upper_group& group) {
  if (!begins_iteration(group)) return;
  region& next = regions_.enter(group.site);
  of(group.task).seen = &next.root;
  begin(self, next);
}

destination bats::close(worker_id self, upper_group& group) {
  if (ends_iteration(group)) finish(self, *regions_.current());
  return leveled_stealing::close(self, group);
}

void bats::begin(worker_id self, region& next) {
  if (watching_ == &next && --iterations_left_ == 0) end_watch(self);
  next.root.forked = 0;
  learning_ = next.at == stage::first;
  bool spread = learning_;
  if (learning_) {
    begin_learning(self, next);
  } else if (wants_balance(next)) {
    if (watching_ == nullptr || (watching_ != &next && ++next.waited > most_waited)) start_watch(self, next);
    spread = next.at != stage::settled;
  } else if (next.at == stage::learned && which_.levels) {
    next.groups.forget();
    next.round = 0;
    next.at = stage::exploring;
  }
  if (spread) {
    on().note(self, decisions::distribute, learning_ ? 0 : 1);
    set_rule(rule::spread);
  } else if (next.at == stage::exploring) {
    source_ = count().profile(self, true);
    next.groups.explore(next.round, [this](std::uint32_t home) -> const auto& { return from_near_to_far(home); });
    on().note(self, decisions::explore, next.round);
    set_rule(rule::closed);
  } else if (next.at == stage::settled) {
    on().note(self, decisions::localise, next.groups.highs());
    set_rule(rule::levels);
  } else {
    on().note(self, decisions::plain, 0);
    set_rule(rule::plain);
  }
  next.began = on().now();
}

void bats::finish(worker_id self, region& ended) {
  const double took = on().now() - ended.began;
  if (learning_) return finish_learning(self, ended);
  const rule how = current();
  const bool misfit =
      ended.misfit.exchange(false, std::memory_order_relaxed) || ended.root.forked != ended.root.children.size();
  if (how == rule::closed) {
    finish_exploring(self, ended);
    if (misfit) relearn(ended);
  } else if (how == rule::levels && misfit) {
    relearn(ended);
  } else if (ended.at == stage::cpu_bound) {
    if (ended.times.changed(took)) {
      ended.at = stage::first;
      ended.learned = 1;  // a look at new times is no misfit
    }
  } else if ((how == rule::levels || how == rule::plain) && which_.balances && ended.at != stage::shapeless &&
             ended.times.changed(took) && balances_ < which_.by.balances) {
    balanced_ = false;
  }
}

void bats::relearn(region& shifted) { shifted.at = shifted.learned < most_learned ? stage::first : stage::shapeless; }

// ---- the first iteration: the tree, and how hot the data are ------------------------------------------------------

void bats::begin_learning(worker_id self, region& next) {
  next.root.children.clear();
  ++next.learned;
  source_ = count().profile(self, true);
  tasks_->restart(source_);
  counting_.store(true, std::memory_order_relaxed);
  if (which_.balances && !balanced_ && leaves_ > 0) start_watch(self, next);
}

void bats::finish_learning(worker_id self, region& ended) {
  learning_ = false;
  count_task(self);
  counting_.store(false, std::memory_order_relaxed);
  // The processor's counters were refused half-way: judge again, with what is left.
  if (count().profile(self, false) != source_) return;
  if (!which_.by.printed && !has_much_data() && tasks_->most_are_cpu_bound()) {
    ended.at = stage::cpu_bound;
    ended.times = {};
    ended.root.children.clear();
    if (watching_ == &ended) drop_watch(self);
    return;
  }
  leaves_ = std::max(leaves_, leaves_of(ended.root));
  if (which_.levels) {
    const std::uint32_t cores = (on().workers() + squads() - 1) / squads();
    try {
      which_.by.printed ? ended.groups.group(ended.root, subgraphs::tasks_per_core * cores)
                        : ended.groups.group(ended.root, cores, squads());
    } catch (const std::bad_alloc&) {
      return;  // learn once more
    }
  }
  ended.at = stage::learned;
}

/// Whether the program has said how much data it has, or nothing is known but that it has more than a cache takes.
bool bats::has_much_data() const noexcept {
  return told_.data != 0 || (tasks_->saw_no_access() && data().program_bytes() > smallest_cache());
}

bool bats::wants_balance(const region& next) const noexcept {
  return which_.balances && !balanced_ && leaves_ > 0 && next.at != stage::cpu_bound && next.at != stage::shapeless;
}

void bats::start_watch(worker_id self, region& until) {
  if (++watches_ > most_watches) {
    if (watching_ != nullptr) drop_watch(self);
    balanced_ = true;
    return;
  }
  data().watch(self, std::min(leaves_, which_.by.areas));
  watching_ = &until;
  iterations_left_ = which_.by.watched;
  until.waited = 0;
}

/// Forgets what was seen. The next region that wants a balance begins another watch.
void bats::drop_watch(worker_id self) {
  data().watched(self);
  watching_ = nullptr;
}

void bats::end_watch(worker_id self) {
  watching_ = nullptr;
  watches_ = 0;
  balanced_ = true;
  ++balances_;
  std::vector<area> areas = data().watched(self);
  if (areas.empty()) return on().note(self, decisions::unseen, 0);
  on().note(self, decisions::balance, static_cast<std::int64_t>(balance(self, areas)));
  regions_.for_each([](region& each) {
    if (each.at == stage::settled || each.at == stage::exploring) each.at = stage::learned;
  });
}

/// Returns the bytes that have moved. What a full node does not take goes where the plan without that node sends it.
std::uint64_t bats::balance(worker_id self, std::vector<area>& areas) {
  const auto& nodes = data().nodes();
  std::vector<bool> full(nodes.size());
  const auto how = which_.by.printed ? balancing::printed : balancing::improved;
  std::uint64_t sum = 0;
  for (std::size_t attempt = 0; attempt < nodes.size(); ++attempt) {
    bool filled = false;
    std::vector<area_move> moves = plan_moves(areas, nodes, full, how);
    data().move_areas(self, moves, std::numeric_limits<double>::infinity());
    for (const area_move& each : moves) {
      sum += each.bytes;
      if (each.bytes > 0) {
        areas[each.area].node = each.node;
      } else {
        filled = full[each.node] = true;
      }
    }
    if (!filled) break;
  }
  return sum;
}

// ---- where subgraphs belong ---------------------------------------------------------------------------------------

void bats::finish_exploring(worker_id self, region& ended) {
  const bool good = count().profile(self, false) == source_;
  const bool all_high = ended.groups.judge();
  if (!good || (!all_high && ++ended.round < std::min(squads(), which_.by.rounds))) return;
  if (ended.groups.unseen()) on().note(self, decisions::unseen, 1);
  ended.groups.settle();
  ended.at = stage::settled;
  ended.times = {};
}

/// Counts what the worker has done since it was last counted as a task, while a tree is learned.
void bats::count_task(worker_id self) {
  if (counting_.load(std::memory_order_relaxed)) tasks_->add(self, count().counts_of(self));
}

void bats::resume(worker_id self, upper_task& task) {
  leveled_stealing::resume(self, task);
  count_task(self);
  const rule how = current();
  touch(self, how == rule::spread && task.parent != nullptr ? nodes_of_->node_of(task.whole) : none);
  if (unstarted(task)) start_one(task, is_slow(task.whole));
  if (how == rule::closed && of(task).packed) {
    squad_seat& mine = squad_seats_[of(task).squad];
    const bool alone = is_busy_with_one(of(task).squad);
    mine.shared.store(!alone, std::memory_order_seq_cst);
    if (alone) mine.since = count_all(workers_of(of(task).squad));
  }
}

void bats::end(worker_id self, upper_task& task) {
  count_task(self);
  const rule how = current();
  const profile* const seen = profile_of(task);
  if (of(task).packed && how == rule::closed && seen != nullptr) {
    // The other workers of the squad are idle again, so their counts are complete, or nearly: the last lines of a
    // worker that has just ended a part of the subgraph may be counted with the next one.
    const squad_seat& mine = squad_seats_[of(task).squad];
    const bool alone = is_busy_with_one(of(task).squad) && !mine.shared.load(std::memory_order_seq_cst);
    if (alone && of(task).squad == regions_.current()->groups.squad_of(seen->subgraph)) {
      const counts spent = count_all(workers_of(of(task).squad)) - mine.since;
      regions_.current()->groups.count(seen->subgraph, spent.local, spent.remote);
    }
  }
  const bool counts_children = task.parent != nullptr && (how == rule::closed || how == rule::levels);
  if (counts_children && seen != nullptr && !of(task).packed && seen->forked < seen->children.size()) {
    regions_.current()->misfit.store(true, std::memory_order_relaxed);
  }
  leveled_stealing::end(self, task);
}

// ---- where tasks and data go --------------------------------------------------------------------------------------

item bats::idle(worker_id self) {
  if (current() != rule::spread) touch(self, none);
  return leveled_stealing::idle(self);
}

void bats::touch(worker_id self, std::uint32_t node) noexcept {
  if (seats_[self].touches == node) return;
  seats_[self].touches = node;
  data().touch_to(self, node);
}

bool bats::is_slow(const span& part) const noexcept { return !data().nodes()[nodes_of_->node_of(part)].fast; }

std::uint32_t bats::squad_of_span(const span& part) const noexcept {
  const std::uint32_t near = data().nodes()[nodes_of_->node_of(part)].squad;
  return near < squads() ? near : 0;
}

destination bats::fork(worker_id self, upper_group& group, upper_task& child) {
  const rule how = current();
  if (how == rule::plain) return {.where = destination::how::here, .as = tier::lower};
  profile* const parent = profile_of(group.task);
  return how == rule::spread ? spread_child(self, child, parent) : place_child(child, parent);
}

destination bats::spread_child(worker_id self, upper_task& child, profile* parent) {
  if (learning_ && parent != nullptr) {
    profile& grown = parent->grow();
    grown.home = squad_of_span(child.whole);
    of(child).seen = &grown;
  }
  const bool deep =
      child.whole.length() < span::one / (parts_learned * on().workers()) || child.level > deepest_learned;
  // Depth first, so that few tasks wait at a time.
  return into_high(squad_of(self), pool_end::front, deep ? tier::lower : tier::upper);
}

destination bats::place_child(upper_task& child, profile* parent) {
  profile* const as = parent != nullptr ? parent->next() : nullptr;
  if (as == nullptr) {
    regions_.current()->misfit.store(true, std::memory_order_relaxed);
    const std::uint32_t squad = squad_of_span(child.whole);
    return current() == rule::closed ? into_above(squad, tier::lower) : into_low(squad, pool_end::back, tier::lower);
  }
  as->forked = 0;
  of(child).seen = as;
  of(child).packed = as->packed;
  if (!as->packed) return into_above(squad_of_span(child.whole), tier::upper);
  const subgraphs& groups = regions_.current()->groups;
  const std::uint32_t found = groups.squad_of(as->subgraph);
  if (current() == rule::closed) return into_high(found, pool_end::back, tier::lower);
  const std::uint32_t squad = groups.unseen() ? squad_of_span(child.whole) : found;
  const pool_end end = mixed() ? end_of(squad, child, is_slow(child.whole)) : pool_end::back;
  const bool high = groups.unseen() || groups.high(as->subgraph);
  return high ? into_high(squad, end, tier::lower) : into_low(squad, end, tier::lower);
}

family bats_schedulers() {
  // Which parts are switched on: placement by bandwidth, balancing, levels.
  static constexpr std::array<bats::parts, 8> all{{{"bats", true, true, true},
                                                   {"bats:paper", true, true, true, bats_rules::as_printed()},
                                                   {"bats:nh", false, true, true},
                                                   {"bats:nb", true, false, true},
                                                   {"bats:nl", true, true, false},
                                                   {"bats:h", true, false, false},
                                                   {"bats:b", false, true, false},
                                                   {"bats:l", false, false, true}}};
  static constexpr auto names = [] {
    std::array<std::string_view, all.size()> of;
    for (std::size_t i = 0; i < all.size(); ++i) of[i] = all[i].name;
    return of;
  }();
  return {names, [](std::string_view name, const settings& given) -> std::unique_ptr<scheduler> {
            for (const bats::parts& each : all) {
              if (name == each.name) return std::make_unique<bats>(each, given);
            }
            return nullptr;
          }};
}

}  // namespace jackdaw::sched
