#include "sim/simulated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <jackdaw/error.hpp>
#include <stdexcept>
#include <utility>

#include "sim/memory/stagger.hpp"

namespace jackdaw::sim {
namespace {

/// Returns the core of each of `count` workers. Neighbouring workers are near each other: numbers go socket by socket.
/// As on threads, the first sockets have one more if the workers cannot be spread evenly.
std::vector<unsigned> cores_for(const machine_model& machine, unsigned count, bool scatter) {
  std::vector<unsigned> cores;
  for (unsigned socket = 0; socket < machine.sockets; ++socket) {
    const unsigned left = count - static_cast<unsigned>(cores.size());
    const unsigned here = scatter ? (left + machine.sockets - socket - 1) / (machine.sockets - socket)
                                  : std::min(left, machine.cores_per_socket);
    for (unsigned i = 0; i < here; ++i) cores.push_back(socket * machine.cores_per_socket + i);
  }
  return cores;
}

}  // namespace

simulated::simulated(const trace::task_tree& tree, const address_space& space, const machine_model& machine,
                     sched::scheduler& scheduler, const policy& placement, const setup& how)
    : tree_(tree),
      space_(space),
      machine_(machine),
      scheduler_(scheduler),
      ways_(machine),
      memory_(machine, ways_, space, placement),
      traffic_(ways_, machine.cores()),
      on_core_(machine.cores()),
      counts_(machine, crew_, memory_),
      data_({machine, ways_, memory_, traffic_, crew_, squads_, now_}, placement, how.seed, how.sees),
      rescues_(how.rescues),
      tasks_(*this, tree),
      scale_(tree.compute_rate / machine.compute_rate) {
  const unsigned count = how.workers == 0 ? machine.cores() : how.workers;
  if (count > machine.cores()) {
    throw error(fmt::format("{} workers, but {} has {} cores", count, machine.name, machine.cores()));
  }
  const std::vector<unsigned> cores = cores_for(machine, count, how.scatter);
  crew_.resize(count);
  for (unsigned id = 0; id < count; ++id) {
    worker& each = crew_[id];
    each.id = id;
    each.core = cores[id];
    each.socket = machine.socket_of(cores[id]);
    each.phase = phase_of(id);
    each.scope = {0, count - 1};
    each.seed = (how.seed * 0xbf58476d1ce4e5b9ULL) ^ (0x9e3779b97f4a7c15ULL * (id + 1));
    if (each.seed == 0) each.seed = 1;
    on_core_[each.core] = id;
  }
  for (unsigned a = 0; a < machine.sockets; ++a) {
    for (unsigned b = 0; b < machine.sockets; ++b) max_distance_ = std::max(max_distance_, 1 + ways_.hops(a, b));
  }
  for (worker& each : crew_) {
    each.counts.steals.resize(max_distance_ + 1);
    const unsigned before = each.id == 0 ? 0 : crew_[each.id - 1].core;
    const sched::squad alone{.workers = {each.id, each.id}, .shared_cache = machine.shared_cache.size};
    const bool other_cache = each.id == 0 || machine.group_of(each.core) != machine.group_of(before);
    if (other_cache) cache_squads_.push_back(alone);
    if (each.id == 0 || each.socket != machine.socket_of(before)) {
      squads_.push_back(alone);
    } else if (other_cache) {
      squads_.back().shared_cache += machine.shared_cache.size;
    }
    squads_.back().workers.last = cache_squads_.back().workers.last = each.id;
  }
  data_.find_nodes();
  searching_ = count;
  scheduler_.start({*this, counts_, data_});
}

unsigned simulated::distance(sched::worker_id a, sched::worker_id b) const noexcept {
  return a == b ? 0 : 1 + ways_.hops(crew_[a].socket, crew_[b].socket);
}

// ---- time ---------------------------------------------------------------------------------------------------------

void simulated::run(observer& told) {
  told_ = &told;
  for (worker& each : crew_) at(0, each);
  for (const trace::root& root : tree_.roots) {
    send(root);
    while (tasks_.running() != nullptr) {
      const double moved = traffic_.next();
      if (events_due_.empty() && moved == traffic::never) {
        throw std::logic_error("simulation: nothing is left to do, but a root has not ended");
      }
      ++events_;
      if (events_due_.empty() || moved <= events_due_.top().at) {
        now_ = moved;
        if (const std::uint32_t core = traffic_.finish(); core != traffic::none) {
          worker& served = crew_[on_core_[core]];
          served.leaf != nullptr ? go_on_with_leaf(served) : step(served);
        }
      } else {
        const event due = events_due_.top();
        events_due_.pop();
        now_ = due.at;
        worker& awaited = crew_[due.worker];
        if (awaited.due != due.order) continue;  // it has been woken since
        if (awaited.state == worker::doing::asleep) get_up(awaited);
        step(awaited);
      }
      if (events_ % 64 == 0) check_greed();
    }
  }
  check();
}

void simulated::send(const trace::root& root) {
  frame& made = tasks_.make_root(root);
  told_->root_begins(root, now_);
  const sched::destination where = scheduler_.root(*made.upper);
  made.searching = where.as == sched::tier::upper;
  place(where, made);
}

/// Lets a worker do what it does next, up to the first action that takes time.
void simulated::step(worker& self) {
  for (;;) {
    if (self.spent > 0) {
      const double spent = std::exchange(self.spent, 0);
      self.counts.overhead += spent;
      return at(now_ + spent, self);
    }
    if (!self.copying.empty()) {
      if (data_.go_on_copying(self)) return;
    } else if (self.leaf != nullptr) {
      end_leaf(self);
    } else if (self.follows != nullptr) {
      enter(self, *std::exchange(self.follows, nullptr));
    } else if (self.current != nullptr) {
      tasks_.advance(self);
      if (self.leaf != nullptr) return;
    } else if (!look(self)) {
      return;
    }
  }
}

void simulated::enter(worker& self, frame& what) {
  self.current = &what;
  const frame& base = *what.base;
  if (base.searching || (base.upper && !base.begun)) scheduler_.resume(self.id, *base.upper);
  what.base->begun = true;
}

// ---- leaves -------------------------------------------------------------------------------------------------------

void simulated::begin_leaf(worker& self, const trace::op& leaf) {
  ++self.counts.leaves;
  self.leaf = &leaf;
  self.leaf_began = now_;
  self.leaf_computes = leaf.amount * scale_;
  self.moving.clear();
  if (memory_.heat().watching()) memory_.heat().at(now_);
  if (leaf.count != 0) memory_.touch(self.core, space_.accesses(leaf.first, leaf.count), self.moving);
  self.moved = 0;
  self.leaf_hides = 0;
  stagger(self.moving, self.phase, ways_);
  go_on_with_leaf(self);
}

/// Moves data from one source after another, then does what is left of the computing that did not overlap with this.
void simulated::go_on_with_leaf(worker& self) {
  if (self.moved > 0) self.leaf_hides += ways_[self.moving[self.moved - 1].route].overlap * (now_ - self.move_began);
  if (self.moved < self.moving.size()) {
    const transfer& next = self.moving[self.moved++];
    self.move_began = now_;
    return traffic_.start(self.core, next.route, next.bytes, now_, !next.goes_on);
  }
  at(now_ + std::max(0.0, self.leaf_computes - self.leaf_hides), self);
}

void simulated::end_leaf(worker& self) {
  const trace::op& leaf = *std::exchange(self.leaf, nullptr);
  self.counts.computing += self.leaf_computes;
  self.counts.memory += now_ - self.leaf_began - self.leaf_computes;
  told_->leaf_ends(leaf, self.id, now_);
}

// ---- sched::task_runner --------------------------------------------------------------------------------------------

sched::item simulated::pop(sched::worker_id self, sched::deque_kind from) noexcept {
  entries& own = crew_[self].lanes[static_cast<std::size_t>(from)];
  if (own.empty()) return {};
  const entry newest = own.back();
  own.pop_back();
  crew_[self].spent += machine_.cost.suspend;
  return item_of(tasks_.claim(newest));
}

double simulated::look_cost(const worker& self, const worker& there) const noexcept {
  return self.socket == there.socket ? machine_.cost.look_local : machine_.cost.look_remote;
}

sched::item simulated::steal(sched::worker_id self, sched::worker_id victim, sched::deque_kind from) noexcept {
  worker& thief = crew_[self];
  worker& there = crew_[victim];
  entries& theirs = there.lanes[static_cast<std::size_t>(from)];
  if (theirs.empty()) {
    ++thief.counts.failed_steals;
    thief.spent += look_cost(thief, there);
    return {};
  }
  const entry oldest = theirs.front();
  theirs.pop_front();
  ++thief.counts.steals[distance(self, victim)];
  thief.spent += thief.socket == there.socket ? machine_.cost.steal_local : machine_.cost.steal_remote;
  return item_of(tasks_.claim(oldest));
}

sched::item simulated::next_root(sched::worker_id self) noexcept {
  if (roots_.empty()) return {};
  const sched::item found = roots_.front();
  roots_.pop_front();
  crew_[self].spent += machine_.cost.steal_local;
  return found;
}

sched::item simulated::collect(sched::worker_id self) noexcept { return std::exchange(crew_[self].mailbox, {}); }

sched::pool_id simulated::make_pool(sched::worker_id home, sched::access to) {
  const auto made = static_cast<sched::pool_id>(pools_.size());
  pools_.push_back({.home = home, .to = to, .items = {}, .seen = std::vector<std::uint64_t>(crew_.size())});
  (to == sched::access::scope ? crew_[home].pools : guarded_).push_back(made);
  return made;
}

sched::item simulated::take(sched::worker_id self, sched::pool_id from, sched::pool_end where) noexcept {
  pool& out = pools_[from];
  worker& taker = crew_[self];
  if (out.items.empty()) {
    // The line that says so stays in the taker's cache until another core writes to it.
    if (out.home != self && out.seen[self] != out.changes) taker.spent += look_cost(taker, crew_[out.home]);
    out.seen[self] = out.changes;
    return {};
  }
  ++out.changes;
  const sched::item found = out.items.take(where);
  const worker& home = crew_[out.home];
  taker.spent += taker.socket == home.socket ? machine_.cost.steal_local : machine_.cost.steal_remote;
  if (out.home != self) ++taker.counts.steals[distance(self, out.home)];
  return found;
}

std::uint32_t simulated::random(sched::worker_id self, std::uint32_t below) noexcept {
  // xorshift64*, like the threads engine.
  std::uint64_t& seed = crew_[self].seed;
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return static_cast<std::uint32_t>(((seed * 0x2545f4914f6cdd1dULL >> 32) * below) >> 32);
}

// ---- what must hold -----------------------------------------------------------------------------------------------

worker_counters simulated::total() const {
  worker_counters sum;
  for (const worker& each : crew_) sum += each.counts;
  return sum;
}

void simulated::check() const {
  double work = 0;
  for (const trace::op& step : tree_.ops) {
    if (step.what == trace::op::kind::compute) work += step.amount * scale_;
  }
  const double done = total().computing;
  if (std::abs(done - work) > 1e-9 * work) {
    throw std::logic_error(fmt::format("simulation: {} ns of work were done of {}", done, work));
  }
  if (tasks_.tasks_ended() != tree_.tasks.size()) {
    throw std::logic_error(fmt::format("simulation: {} tasks ended of {}", tasks_.tasks_ended(), tree_.tasks.size()));
  }
  if (!tasks_.idle()) throw std::logic_error("simulation: frames or groups are left over");
  memory_.check();
  traffic_.check();
}

}  // namespace jackdaw::sim
