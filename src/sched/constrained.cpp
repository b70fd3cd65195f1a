#include "sched/constrained.hpp"

#include <algorithm>
#include <charconv>

#include "sched/family.hpp"

namespace jackdaw::sched {
namespace {

/// A task is recorded if its children take at least this long, in ns: to fork one in the upper tier takes about a tenth
/// of it.
constexpr double worth_placing = 10'000;
/// A region that keeps changing is recorded again after so many iterations at most.
constexpr unsigned most_plain = 64;

}  // namespace

constrained::constrained(unsigned relaxed)
    : relaxed_(relaxed),
      name_(relaxed == usual_relaxed ? "constrained" : "constrained:relws=" + std::to_string(relaxed)) {}

void constrained::start(const engine& on) {
  on_ = &on.run;
  seats_ = std::make_unique<seat[]>(on_->workers());
  for (worker_id each = 0; each < on_->workers(); ++each) {
    seats_[each].forks = on_->make_pool(each);
    seats_[each].inbox = on_->make_pool(each);
  }
}

destination constrained::root(upper_task& task) {
  if (on_->workers() == 1 || !root_.claim(*on_, task)) return upper_root::plain();
  return {.where = destination::how::anyone, .as = tier::upper};
}

// ---- iterations ---------------------------------------------------------------------------------------------------

void constrained::open(worker_id self, upper_group& group) {
  if (begins_iteration(group)) begin(self, group.task, regions_.enter(group.site));
}

void constrained::begin(worker_id self, upper_task& root, region& next) {
  const phase before = now();
  const phase how = next.plain > 0 ? phase::plain : next.next;
  if (how == phase::record) next.home = self;
  next.due.resize(on_->workers());
  std::uint32_t steals = 0;
  for (worker_id each = 0; each < on_->workers(); ++each) {
    seats_[each].due.store(next.due[each], std::memory_order_relaxed);
    seats_[each].steals = 0;
    // What another region's tasks took says nothing of this one's; and a level is seen only below one that is recorded.
    if (how == phase::record || how == phase::relax) seats_[each].took = {};
    steals += next.due[each];
  }
  task_state& state = of(root);
  state.known = how == phase::plain ? nullptr : &next.root;
  state.home = next.home;
  state.forked = 0;
  state.grows = !next.root.has_steals();
  changed_.store(false, std::memory_order_relaxed);
  phase_.store(how, std::memory_order_relaxed);
  switch (how) {
    case phase::plain:
      on_->note(self, decisions::plain, 2);
      break;
    case phase::record:
      on_->note(self, decisions::record, 0);
      break;
    case phase::relax:
      on_->note(self, decisions::relax, steals);
      break;
    case phase::replay:
      on_->note(self, decisions::replay, steals);
      break;
  }
  if (before == phase::replay && how != phase::replay) on_->rouse({0, on_->workers() - 1});
  began_ = on_->now();
}

destination constrained::close(worker_id self, upper_group& group) {
  if (ends_iteration(group)) finish(self, group.task, *regions_.current());
  return {.where = destination::how::here, .as = tier::upper};
}

void constrained::finish(worker_id self, upper_task& root, region& ended) {
  if (now() == phase::plain) {
    --ended.plain;
    return;
  }
  task_state& state = of(root);
  compare(state);
  state.known = nullptr;
  if (changed_.load(std::memory_order_relaxed)) return start_over(self, ended, true);
  if (now() == phase::replay) {
    ended.changes = 0;
    if (ended.times.changed(on_->now() - began_)) start_over(self, ended, false);
    return;
  }
  ended.root.prune();
  if (now() == phase::relax) ++ended.relaxed;
  ended.next = ended.relaxed < relaxed_ ? phase::relax : phase::replay;
  ended.due.assign(on_->workers(), 0);
  ended.root.for_each_steal([&](worker_id thief) { ++ended.due[thief]; });
}

void constrained::start_over(worker_id self, region& changed, bool of_shape) {
  on_->note(self, decisions::restart, of_shape ? 0 : 1);
  const unsigned changes = of_shape ? changed.changes + 1 : 0;
  changed = region{};
  changed.changes = changes;
  // After two changes in a row one iteration is not recorded, then two, four and so on.
  if (changes > 1) changed.plain = changes > 7 ? most_plain : 1U << (changes - 2);
}

/// A task has ended: were its children those that the record has?
void constrained::compare(const task_state& ended) {
  if (!ended.grows && ended.forked != ended.known->children.size()) change();
}

void constrained::change() {
  if (changed_.exchange(true, std::memory_order_relaxed)) return;
  on_->rouse({0, on_->workers() - 1});
}

// ---- tasks --------------------------------------------------------------------------------------------------------

void constrained::resume(worker_id self, upper_task& task) {
  task_state& state = of(task);
  if (state.started) return;
  state.started = true;
  state.home = self;
  if (state.known == nullptr) return;
  state.grows = !state.known->has_steals();
  if (!records()) return;
  state.began = on_->now();
  const bool stolen = self != of(*task.parent).home;
  state.known->thief = stolen ? self : steal_tree::nobody;
  if (stolen) state.known->turn = seats_[self].steals++;
}

destination constrained::fork(worker_id self, upper_group& group, upper_task& child) {
  task_state& parent = of(group.task);
  if (parent.known == nullptr) return {.where = destination::how::here, .as = tier::lower};
  steal_tree* known = nullptr;
  worker_id to = parent.home;
  if (parent.grows) {
    if (records()) {
      known = &parent.known->grow();
      to = self;
    }
  } else if (parent.forked < parent.known->children.size()) {
    known = parent.known->children[parent.forked].get();
  } else {
    change();
    to = self;
  }
  ++parent.forked;
  of(child).known = known;
  const bool upper = known != nullptr && (known->has_steals() || (records() && worth_recording(self, child)));
  destination where{
      .where = destination::how::pool, .end = pool_end::in_order, .as = upper ? tier::upper : tier::lower};
  if (known != nullptr && known->is_stolen()) {
    seat& thief = seats_[known->thief];
    thief.due.fetch_sub(1, std::memory_order_relaxed);
    where.pool = thief.inbox;
    where.order = known->turn;
  } else {
    where.pool = seats_[to].forks;
    // Serial order; below a task with more children than its span can be divided among, deeper tasks come first, so
    // that few have begun at a time.
    where.order = child.whole.begin << 8 | (255 - std::min(child.level, 255U));
  }
  return where;
}

void constrained::end(worker_id self, upper_task& task) {
  if (task.parent == nullptr) {
    if (on_->workers() > 1) root_.leave(task);
    return;
  }
  const task_state& state = of(task);
  if (state.known == nullptr) return;
  compare(state);
  if (!records()) return;
  state.known->prune();
  level_times& took = seats_[self].took[std::min(task.level, deepest + 1)];
  took.sum += on_->now() - state.began;
  took.count += 1;
}

bool constrained::worth_recording(worker_id self, const upper_task& child) const noexcept {
  if (child.level > deepest) return false;
  const level_times& below = seats_[self].took[child.level + 1];
  return below.sum >= below.count * worth_placing;
}

// ---- idle workers -------------------------------------------------------------------------------------------------

bool constrained::steals_freely() const noexcept {
  return now() != phase::replay || changed_.load(std::memory_order_relaxed) || root_.has_plain();
}

/// While steals are recorded anew, a worker waits for those that it is due: if it took others instead, it would undo
/// the record from the top of the tree.
bool constrained::may_steal(worker_id self) const noexcept {
  if (!steals_freely()) return false;
  return now() != phase::relax || seats_[self].due.load(std::memory_order_relaxed) == 0 ||
         changed_.load(std::memory_order_relaxed) || root_.has_plain();
}

item constrained::idle(worker_id self) {
  const bool steals = may_steal(self);
  on_->set_scope(self, steals ? worker_range{0, on_->workers() - 1} : worker_range{1, 0});
  if (const item own = on_->pop(self, deque_kind::local)) return own;
  if (const item forked = on_->take(self, seats_[self].forks, pool_end::front)) return forked;
  if (const item sent = on_->take(self, seats_[self].inbox, pool_end::front)) return sent;
  if (const item root = on_->next_root(self)) return root;
  if (!steals || on_->workers() == 1) return {};
  const worker_id other = on_->random(self, on_->workers() - 1);
  const worker_id victim = other < self ? other : other + 1;
  if (const item found = on_->take(self, seats_[victim].forks, pool_end::back)) return found;
  if (const item found = on_->steal(self, victim, deque_kind::local)) return found;
  return on_->take(self, seats_[victim].inbox, pool_end::back);
}

/// A worker that finds nothing in a replay leaves the others' tasks to them.
double constrained::patience() const noexcept { return steals_freely() ? usual_patience : long_patience; }

/// Makes "constrained", and "constrained:relws=3" with three iterations of RelWS.
family constrained_schedulers() {
  static constexpr std::array<std::string_view, 1> names{"constrained"};
  static constexpr std::array<std::string_view, 1> forms{"constrained:relws=COUNT"};
  return {names,
          [](std::string_view name, const settings&) -> std::unique_ptr<scheduler> {
            if (name == names[0]) return std::make_unique<constrained>();
            constexpr std::string_view before = "constrained:relws=";
            if (!name.starts_with(before)) return nullptr;
            unsigned relaxed = 0;
            const char* const last = name.data() + name.size();
            const auto [end, error] = std::from_chars(name.data() + before.size(), last, relaxed);
            const bool fits = error == std::errc() && end == last && relaxed <= constrained::most_relaxed &&
                              name.substr(before.size()) == std::to_string(relaxed);
            return fits ? std::make_unique<constrained>(relaxed) : nullptr;
          },
          forms};
}

}  // namespace jackdaw::sched
