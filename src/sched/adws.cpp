#include "sched/adws.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "sched/family.hpp"
#include "sched/learning_adws.hpp"

namespace jackdaw::sched {

void adws::start(const engine& on, const memory_shares* shares) {
  on_ = &on.run;
  relocator_.start(on, shares);
  seats_ = std::make_unique<seat[]>(on_->workers());
  for (worker_id worker = 0; worker < on_->workers(); ++worker) {
    seats_[worker].inbox = on_->make_pool(worker);
    on_->set_scope(worker, {1, 0});
  }
}

destination adws::root(upper_task& task) {
  const std::uint32_t count = on_->workers();
  if (count == 1) {
    return {.where = destination::how::anyone, .as = tier::lower};
  }
  const upper_task* none = nullptr;
  if (!on_->crowded(has_plain_roots()) &&
      search_.compare_exchange_strong(none, &task, std::memory_order_acq_rel, std::memory_order_relaxed)) {
    try {
      const std::lock_guard hold(sharing_);
      of(task).range = ranges_.open(of_roots_, 0, {0, count - 1});
    } catch (...) {
      search_.store(nullptr, std::memory_order_release);
      throw;
    }
    return {.where = destination::how::mailbox, .worker = 0, .as = tier::upper};
  }
  of(task).range = open_shared();
  return {.where = destination::how::anyone, .as = tier::lower};
}

steal_ranges::ref adws::open_shared() {
  const std::lock_guard hold(sharing_);
  if (plain_roots_.load(std::memory_order_relaxed) == 0) {
    shared_ = ranges_.open(of_roots_, 0, {0, on_->workers() - 1});
  }
  plain_roots_.fetch_add(1, std::memory_order_relaxed);
  return shared_;
}

void adws::close_shared() noexcept {
  const std::lock_guard hold(sharing_);
  if (plain_roots_.fetch_sub(1, std::memory_order_relaxed) == 1) {
    ranges_.close(of_roots_, shared_);
  }
}

void adws::resume(worker_id self, upper_task& task) {
  adopt(self, range_of(task));
  // This root is not laid out, so all may share in it from the beginning. (One that is laid out reads its own address.)
  if (task.parent == nullptr && of(task).range != 0 && !lays_out(task)) {
    const steal_ranges::ref all = of(task).range;
    if (!steals_ || ranges_.active(all)) return;
    ranges_.activate(all);
    shared_hint_.store(all, std::memory_order_relaxed);
    on_->rouse({0, on_->workers() - 1});
  }
}

void adws::open(worker_id self, upper_group& group) {
  // The range of an upper task's group is inside the range that the task was sent with, so a search-root task's range
  // lies inside its owner's at all times.
  range_of(group) = ranges_.open(seats_[self].free, range_around(group), workers_of(group.rest));
  // What is to stay with its owners is the first touch of data, and no iteration.
  const bool iterates = group.task.parent == nullptr && group.around == nullptr && !group.task.unshared;
  if (iterates && lays_out(group.task)) relocator_.begin(self, group.site);
  if (group.task.unshared) unshared_.fetch_add(1, std::memory_order_relaxed);  // only now: close() counts it off
  try {
    seats_[self].chain.push_back(range_of(group));
  } catch (const std::bad_alloc&) {
    return;  // it steals in narrower ranges, and helps others later
  }
}

destination adws::fork(worker_id self, upper_group& group, upper_task& child) {
  const worker_range all = workers_of({child.whole.begin, group.rest.end});
  worker_range to = workers_of(child.whole);
  if (child.whole.length() == 0) {
    // A child without work runs on the leftmost worker of what is left. It needs no search.
    to = {all.last, all.last};
  }
  to.first = std::clamp(to.first, all.first, all.last);
  to.last = std::clamp(to.last, to.first, all.last);
  if (to.first < to.last && forks_nothing(child)) {
    const std::uint64_t middle = child.whole.begin + child.whole.length() / 2;
    const worker_id most = std::clamp(workers_of({middle, middle + 1}).first, to.first, to.last);
    to = {most, most};
  }
  of(child).range = range_of(group);
  of(child).owner = to.first;
  const tier as = to.first < to.last ? tier::upper : tier::lower;
  const bool own = to.first == of(group.task).owner;
  if (own && as == tier::lower) {
    activate(range_of(group), group.task);  // the search has found this worker's left boundary
  }
  // A worker that runs the search in its owner's stead continues it, and leaves the owner what needs no search.
  if (own && (self == to.first || as == tier::upper)) {
    return {.where = destination::how::here, .as = as};
  }
  if (as == tier::upper) {
    return {.where = destination::how::mailbox, .worker = to.first, .as = as};
  }
  return {.where = destination::how::pool, .worker = to.first, .pool = seats_[to.first].inbox, .as = as};
}

void adws::wait(worker_id, upper_group& group, tier as) {
  if (as == tier::upper) {
    activate(range_of(group), group.task);  // the search ends without a child for this worker
  }
}

destination adws::close(worker_id self, upper_group& group) {
  ranges_.close(seats_[self].free, range_of(group));
  if (group.task.unshared) unshared_.fetch_sub(1, std::memory_order_relaxed);
  const upper_task& task = group.task;
  if (task.group != &group) {
    // Another group of the task is open, and its children may be on their way to the owner's mailbox.
    return {.where = destination::how::here, .as = tier::lower};
  }
  if (steals_ && active_around(range_around(group))) {
    // Other workers may already steal what a new search would distribute, so a search gains nothing.
    return {.where = destination::how::here, .as = tier::lower};
  }
  const worker_id owner = workers_of(task.whole).first;
  // If the owner comes from a task that was sent to it, it turns to its local deque first, as with anything that it
  // collects: nobody steals from the migrated deque of a range's first worker.
  if (owner == self && uses_local(self)) {
    return {.where = destination::how::here, .as = tier::upper};
  }
  return {.where = destination::how::mailbox, .worker = owner, .as = tier::upper};
}

void adws::end(worker_id self, upper_task& task) {
  if (task.parent == nullptr) {
    // Other roots read another root's address or null.
    if (lays_out(task)) {
      ranges_.close(seats_[self].free, of(task).range);
      search_.store(nullptr, std::memory_order_release);
    } else if (of(task).range != 0) {
      close_shared();
    }
    return;
  }
  const worker_range range = workers_of(task.whole);
  if (range.first < range.last) {
    if (self == range.first) {
      adopt(self, of(task).range);
    }
    activate(of(task).range, task);
  }
}

item adws::idle(worker_id self) {
  on_->use(self, deque_kind::local);
  if (const item search_root = on_->collect(self)) {
    return search_root;
  }
  if (const item own = pop(self, deque_kind::local)) {
    return own;
  }
  on_->use(self, deque_kind::migrated);
  if (const item own = pop(self, deque_kind::migrated)) {
    return own;
  }
  if (const item handed = on_->take(self, seats_[self].inbox, pool_end::front)) {
    return handed;
  }
  if (const item root = on_->next_root(self)) {
    on_->use(self, deque_kind::local);
    return root;
  }
  return steals_ ? steal(self) : item{};
}

double adws::patience() const noexcept {
  if (!steals_) return std::numeric_limits<double>::infinity();
  // Memory stays where it is touched first, however long other workers wait.
  const bool reserved =
      unshared_.load(std::memory_order_relaxed) > 0 || plain_roots_.load(std::memory_order_relaxed) == 0;
  return reserved ? long_patience : usual_patience;
}

item adws::pop(worker_id self, deque_kind from) noexcept {
  const item own = on_->pop(self, from);
  if (own) found(self, own, self, from);
  return own;
}

item adws::steal(worker_id self, worker_id victim, deque_kind from) noexcept {
  const item stolen = on_->steal(self, victim, from);
  if (stolen) found(self, stolen, victim, from);
  return stolen;
}

item adws::steal(worker_id self) {
  const worker_range range = refresh(self);
  // Set it even if it is the same range: rouse() may have set another.
  on_->set_scope(self, range);
  if (range.first >= range.last || !range.contains(self)) {
    return {};
  }
  worker_id victim = range.first + on_->random(self, range.last - range.first);
  victim += victim >= self ? 1 : 0;
  // At its ends the range shares workers with its neighbours: the left neighbour's tasks are in the last worker's local
  // deque, the right neighbour's in the first worker's migration queue.
  const bool plain = steals_plainly();
  on_->use(self, plain || self == range.first ? deque_kind::local : deque_kind::migrated);
  if (plain || victim != range.last) {
    if (const item stolen = steal(self, victim, deque_kind::local)) {
      return stolen;
    }
  }
  // Then only other roots have left something there. To look at it each time would make this twice as slow as random.
  if (plain && (!on_->insists(self) || on_->random(self, 8) != 0)) return {};
  if (victim != range.first) {
    // Oldest first: tasks that have not started come before the forks of those that have.
    if (const item sent = on_->take(self, seats_[victim].inbox, pool_end::back)) {
      return sent;
    }
    return steal(self, victim, deque_kind::migrated);
  }
  return {};
}

item adws::steal_beyond(worker_id self) {
  const worker_id all = on_->workers();
  if (all == 1 || unshared_.load(std::memory_order_relaxed) > 0) return {};
  on_->set_scope(self, {0, all - 1});
  worker_id victim = on_->random(self, all - 1);
  victim += victim >= self ? 1 : 0;
  on_->use(self, deque_kind::local);
  const item stolen = steal(self, victim, deque_kind::local);
  return stolen ? stolen : steal(self, victim, deque_kind::migrated);
}

void adws::adopt(worker_id self, steal_ranges::ref range) noexcept {
  seat& mine = seats_[self];
  drop_closed(mine);
  // Often it is there already: a child that its parent's worker starts has the range that this worker opened last.
  if (!mine.chain.empty() && mine.chain.back() == range) {
    return;
  }
  try {
    climb(mine, range);
  } catch (const std::bad_alloc&) {
    mine.chain.clear();  // it has no chain until it adopts another range
    mine.looked = 0;
  }
}

void adws::climb(seat& mine, steal_ranges::ref range) {
  mine.climb.clear();
  worker_range workers;
  for (steal_ranges::ref at = range; at != 0;) {
    mine.climb.push_back(at);
    if (!ranges_.read(at, at, workers)) {
      break;
    }
  }
  mine.looked = 0;
  mine.chain.assign(mine.climb.rbegin(), mine.climb.rend());
}

void adws::activate(steal_ranges::ref range, const upper_task& by) {
  if (!by.unshared && !ranges_.active(range)) {
    share(range);
  }
}

/// Lets all workers of the range steal within it, and rouses them.
void adws::share(steal_ranges::ref range) {
  if (!steals_) {
    return;
  }
  steal_ranges::ref parent = 0;
  worker_range workers;
  if (!ranges_.read(range, parent, workers)) return;
  std::array<steal_ranges::ref, most_looks> around{};
  auto end = around.begin();
  worker_range outer;
  while (parent != 0 && end != around.end()) {
    *end++ = parent;
    if (!ranges_.read(parent, parent, outer)) break;
  }
  ranges_.activate(range);
  for (worker_id each = workers.first; each <= workers.last; ++each) {
    std::atomic<steal_ranges::ref>& hint = seats_[each].hint;
    const steal_ranges::ref now = hint.load(std::memory_order_relaxed);
    // A search that was under way in an active range ends. The worker will need the outer range for longer: ranges
    // close from the inside out. Relaxed: nothing but a hint, and rouse() fences before sleepers look.
    if (std::find(around.begin(), end, now) != end && ranges_.active(now)) continue;
    hint.store(range, std::memory_order_relaxed);
  }
  on_->rouse(workers);
}

worker_range adws::refresh(worker_id self) {
  seat& mine = seats_[self];
  worker_range found = outermost_active(self);
  if (found.first > found.last) {
    for (const auto* const hinted : {&mine.hint, &shared_hint_}) {
      const steal_ranges::ref hint = hinted->load(std::memory_order_relaxed);
      if (hint == 0 || !ranges_.active(hint)) continue;
      adopt(self, hint);
      found = outermost_active(self);
      if (found.first <= found.last) break;
    }
  }
  return found;
}

void adws::drop_closed(seat& mine) noexcept {
  while (!mine.chain.empty() && !ranges_.alive(mine.chain.back())) {
    mine.chain.pop_back();
  }
}

worker_range adws::outermost_active(worker_id self) {
  seat& mine = seats_[self];
  std::vector<steal_ranges::ref>& chain = mine.chain;
  drop_closed(mine);
  if (chain.empty()) return {1, 0};
  std::size_t i = chain.size() > most_looks && mine.looked < chain.size() ? mine.looked : 0;
  steal_ranges::ref parent = 0;
  worker_range workers;
  // A worker that has taken another one's task may be outside of the ranges around it.
  const auto found = [&] {
    return ranges_.active(chain[i]) && ranges_.read(chain[i], parent, workers) && workers.contains(self);
  };
  for (const std::size_t end = std::min(i + most_looks, chain.size()); i < end; ++i) {
    if (found()) {
      chain.resize(i + 1);
      mine.looked = 0;
      return workers;
    }
  }
  mine.looked = i;
  // Where the chain was cut off when its last range was the outermost active one.
  i = chain.size() - 1;
  return found() ? workers : worker_range{1, 0};
}

bool adws::active_around(steal_ranges::ref range) const noexcept {
  worker_range workers;
  for (std::size_t looks = 0; range != 0 && looks < most_looks; ++looks) {
    if (ranges_.active(range)) {
      return true;
    }
    if (!ranges_.read(range, range, workers)) {
      return false;
    }
  }
  return false;
}

family adws_schedulers() {
  static constexpr std::array<std::string_view, 2> names{"adws", "adws:no-steal"};
  static constexpr std::array<std::string_view, 3> forms{"adws:hints=given", "adws:hints=learned", "adws:hints=both"};
  return {names,
          [](std::string_view name, const settings&) -> std::unique_ptr<scheduler> {
            const bool steals = !name.starts_with(names[1]);
            if (!name.starts_with(names[0])) return nullptr;
            name.remove_prefix(names[steals ? 0 : 1].size());
            const auto mode = steals ? adws::stealing::on : adws::stealing::off;
            if (name.empty() || name == ":hints=given") return std::make_unique<adws>(mode);
            if (name == ":hints=learned") return std::make_unique<learning_adws>(mode, hint_source::learned);
            if (name == ":hints=both") return std::make_unique<learning_adws>(mode, hint_source::both);
            return nullptr;
          },
          forms};
}

}  // namespace jackdaw::sched
