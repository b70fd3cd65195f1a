#include "sim/simulated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <jackdaw/error.hpp>
#include <stdexcept>
#include <utility>

#include "analysis/time_factors.hpp"
#include "sim/memory/stagger.hpp"

namespace jackdaw::sim {
namespace {

/// Returns the core of each of `count` workers. Neighbouring workers are near each other: numbers go socket by socket.
/// As on threads, the first sockets have one more if the workers cannot be spread evenly. Workers share cores only if
/// their socket has fewer cores than workers.
std::vector<unsigned> cores_for(const machine_model& machine, unsigned count, bool scatter) {
  std::vector<unsigned> cores;
  const unsigned of_socket =
      count > machine.cores() ? machine.cores_per_socket * machine.threads_per_core : machine.cores_per_socket;
  for (unsigned socket = 0; socket < machine.sockets; ++socket) {
    const unsigned left = count - static_cast<unsigned>(cores.size());
    const unsigned here =
        scatter ? (left + machine.sockets - socket - 1) / (machine.sockets - socket) : std::min(left, of_socket);
    const unsigned own = machine.cores_per_socket;
    for (unsigned i = 0; i < here; ++i) cores.push_back(socket * own + (here > own ? i * own / here : i));
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
      traffic_(ways_, machine.threads()),
      greed_(std::min(how.workers == 0 ? machine.cores() : how.workers, machine.threads())),
      cores_(machine, how.workers),
      counts_(machine, crew_, memory_, cores_),
      data_({machine, ways_, memory_, traffic_, crew_, squads_, now_, [this](worker& idle) { call(idle); }}, placement,
            how.seed, how.sees),
      rescues_(how.rescues),
      tasks_(*this, tree),
      scale_(analysis::time_factors(tree, machine)),
      instructions_{tree.instructions_per_ns(false), tree.instructions_per_ns(true)} {
  const unsigned count = how.workers == 0 ? machine.cores() : how.workers;
  if (count > machine.threads()) {
    throw error(fmt::format("{} workers, but {} has {} hardware threads", count, machine.name, machine.threads()));
  }
  const std::vector<unsigned> cores = cores_for(machine, count, how.scatter);
  crew_.resize(count);
  for (unsigned id = 0; id < count; ++id) {
    worker& each = crew_[id];
    each.id = id;
    each.core = cores[id];
    each.socket = machine.socket_of(cores[id]);
    each.phase = phase_of(id);
    for (entries& lane : each.lanes) lane.count_in(greed_.waiting());
    greed_.begin_idle(id, 0);
    each.scope = {0, count - 1};
    each.seed = (how.seed * 0xbf58476d1ce4e5b9ULL) ^ (0x9e3779b97f4a7c15ULL * (id + 1));
    if (each.seed == 0) each.seed = 1;
  }
  for (unsigned a = 0; a < machine.sockets; ++a) {
    for (unsigned b = 0; b < machine.sockets; ++b) max_distance_ = std::max(max_distance_, 1 + ways_.hops(a, b));
  }
  for (worker& each : crew_) {
    each.counts.steals.resize(max_distance_ + 1);
    each.counts.failed.resize(max_distance_ + 1);
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
  for (worker& each : crew_) act_in(0, each);
  for (const trace::root& root : tree_.roots) {
    send(root);
    greed_.settle(now_);
    while (tasks_.running() != nullptr) {
      const double moved = traffic_.next();
      if (events_due_.empty() && moved == traffic::never) {
        throw std::logic_error("simulation: nothing is left to do, but a root has not ended");
      }
      ++events_;
      if (events_due_.empty() || moved <= events_due_.top().at) {
        now_ = moved;
        if (const std::uint32_t id = traffic_.finish(); id != traffic::none) {
          worker& served = crew_[id];
          served.leaf != nullptr ? go_on_with_leaf(served) : step(served);
        }
      } else {
        const event_queue::event due = events_due_.top();
        events_due_.pop();
        now_ = due.at;
        worker& awaited = crew_[due.worker];
        if (awaited.due != due.order) continue;  // it has been woken since
        if (awaited.state == worker::doing::asleep) get_up(awaited);
        step(awaited);
      }
      greed_.settle(now_);
      if (events_ % 64 == 0) check_greed();
    }
  }
  check();
}

void simulated::send(const trace::root& root) {
  acting_ = nullptr;
  frame& made = tasks_.make_root(root);
  told_->root_begins(root, now_);
  const sched::destination where = scheduler_.root(*made.upper);
  made.searching = where.as == sched::tier::upper;
  place(where, made);
}

/// Lets a worker do what it does next, up to the first action that takes time.
void simulated::step(worker& self) {
  acting_ = &self;
  for (;;) {
    if (self.spent > 0) {
      const double spent = std::exchange(self.spent, 0);
      self.counts.overhead += spent;
      return look_in(spent, self);
    }
    if (self.copies()) {
      if (data_.go_on_copying(self)) return;
      end_copying(self);
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

/// The last of those that copy for a worker has it continue.
void simulated::end_copying(worker& self) {
  worker* const asked = std::exchange(self.copies_for, nullptr);
  if (asked != nullptr && --asked->copiers == 0 && std::exchange(asked->awaits, false)) act_in(0, *asked);
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
  self.leaf_computes = leaf.amount * scale_[leaf.vector ? 1 : 0];
  self.moving.clear();
  if (memory_.heat().watching()) memory_.heat().at(now_);
  if (leaf.count != 0) {
    const sched::counts before = cores_.any() ? counts_.of_core(self.core) : sched::counts{};
    memory_.touch_to(self.core, self.touches);
    memory_.touch(self.core, space_.accesses(leaf.first, leaf.count), self.moving);
    if (cores_.any()) self.own = self.own + (counts_.of_core(self.core) - before);
  }
  self.moved = 0;
  self.leaf_hides = 0;
  stagger(self.moving, self.phase, ways_);
  go_on_with_leaf(self);
}

/// Moves data from one source after another, then does what is left of the computing that did not overlap with this: a
/// part of the shorter of the two is hidden behind the longer, so neither time is hidden whole unless all overlaps.
void simulated::go_on_with_leaf(worker& self) {
  if (self.moved > 0) self.leaf_hides += ways_[self.moving[self.moved - 1].route].overlap * (now_ - self.move_began);
  if (self.moved < self.moving.size()) {
    const transfer& next = self.moving[self.moved++];
    self.move_began = now_;
    return traffic_.start(self.id, next.route, next.bytes, now_, !next.goes_on);
  }
  const double moving = now_ - self.leaf_began;
  if (moving > self.leaf_computes) self.leaf_hides *= self.leaf_computes / moving;
  compute(self, std::max(0.0, self.leaf_computes - self.leaf_hides));
}

void simulated::compute(worker& self, double work) {
  if (!cores_.any()) return act_in(work, self);
  cores_.enter(self.core, self.id, work, now_);
  move_ends(self.core);
}

void simulated::end_computing(worker& self) {
  if (!cores_.any()) return;
  cores_.leave(self.core, self.id, now_);
  move_ends(self.core);
}

/// Has all workers that compute on a core act when they will have ended at their present speed.
void simulated::move_ends(unsigned core) {
  cores_.each_end(core, [this](sched::worker_id who, double end) { act_in(std::max(0.0, end - now_), crew_[who]); });
}

void simulated::end_leaf(worker& self) {
  const trace::op& leaf = *std::exchange(self.leaf, nullptr);
  end_computing(self);
  self.counts.computing += self.leaf_computes;
  self.counts.instructions += leaf.amount * instructions_[leaf.vector ? 1 : 0];
  self.counts.memory += now_ - self.leaf_began - self.leaf_computes;
  told_->leaf_ends(leaf, self.id, now_);
}

// ---- sched::task_runner --------------------------------------------------------------------------------------------

void simulated::use(sched::worker_id self, sched::deque_kind where) noexcept {
  crew_[self].active = where;
  if (crew_[self].state == worker::doing::running) changed_while_running_ = true;  // threads could not go on
}

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

double simulated::steal_cost(const worker& self, const worker& there) const noexcept {
  return machine_.cost.steal(self.socket != there.socket);
}

double simulated::turn_cost(const worker& self, const worker& there) const noexcept {
  return machine_.cost.turn(self.socket != there.socket);
}

sched::item simulated::steal(sched::worker_id self, sched::worker_id victim, sched::deque_kind from) noexcept {
  worker& thief = crew_[self];
  worker& there = crew_[victim];
  entries& theirs = there.lanes[static_cast<std::size_t>(from)];
  if (theirs.empty()) {
    ++thief.counts.failed_steals;
    ++thief.counts.failed[distance(self, victim)];
    thief.spent += look_cost(thief, there);
    return {};
  }
  const entry oldest = theirs.front();
  theirs.pop_front();
  ++thief.counts.steals[distance(self, victim)];
  thief.spent += steal_cost(thief, there);
  turn& others = there.thieves[static_cast<std::size_t>(from)];
  thief.spent += others.take(self, now_, now_ + thief.spent, turn_cost(thief, there));
  return item_of(tasks_.claim(oldest));
}

sched::item simulated::next_root(sched::worker_id self) noexcept {
  if (roots_.empty()) return {};
  const sched::item found = roots_.front();
  roots_.pop_front();
  --greed_.waiting();
  crew_[self].spent += machine_.cost.steal_local;
  return found;
}

sched::item simulated::collect(sched::worker_id self) noexcept {
  if (crew_[self].mailbox) --greed_.waiting();
  return std::exchange(crew_[self].mailbox, {});
}

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
  --greed_.waiting();
  const worker& home = crew_[out.home];
  taker.spent += steal_cost(taker, home);
  taker.spent += out.users.take(self, now_, now_ + taker.spent, turn_cost(taker, home));
  if (out.home != self) ++taker.counts.steals[distance(self, out.home)];
  return found;
}

std::uint32_t simulated::random(sched::worker_id self, std::uint32_t below) noexcept {
  drawn_ = true;
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
  for (const worker& each : crew_) sum += counts(each);
  return sum;
}

worker_counters simulated::counts(const worker& of) const {
  worker_counters sum = of.counts;
  sum.beside_work += greed_.idle(of.id, now_);
  return sum;
}

void simulated::check() const {
  double work = 0;
  for (const trace::op& step : tree_.ops) {
    if (step.what == trace::op::kind::compute) work += step.amount * scale_[step.vector ? 1 : 0];
  }
  const double done = total().computing;
  if (std::abs(done - work) > 1e-9 * work) {
    throw std::logic_error(fmt::format("simulation: {} ns of work were done of {}", done, work));
  }
  if (tasks_.tasks_ended() != tree_.tasks.size()) {
    throw std::logic_error(fmt::format("simulation: {} tasks ended of {}", tasks_.tasks_ended(), tree_.tasks.size()));
  }
  if (changed_while_running_) throw std::logic_error("simulation: a worker that ran a task has changed its deque");
  if (greed_.waiting() != 0) throw std::logic_error("simulation: tasks are left waiting");
  if (!tasks_.idle()) throw std::logic_error("simulation: frames or groups are left over");
  memory_.check();
  traffic_.check();
}

}  // namespace jackdaw::sim
