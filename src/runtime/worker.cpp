#include "runtime/worker.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <new>
#include <string_view>
#include <utility>

#include "jackdaw/tied.hpp"
#include "runtime/checks.hpp"
#include "runtime/exceptions.hpp"
#include "runtime/fatal.hpp"
#include "runtime/group_access.hpp"
#include "runtime/layout.hpp"
#include "runtime/notes.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {
namespace {

constexpr std::size_t deque_capacity = std::size_t{1} << 16;  // of forks
// In each of a worker's deques. Beyond the capacity are only the rests of fibers, each fiber's at most once.
constexpr std::size_t deque_slots = deque_capacity + 2 + fiber_pool::most_stacks;
constexpr unsigned ends_between_sheds = 32;

using slot = basic_deque<hardware, entry>::slot;

checks::stack stack_of(const fiber& of) noexcept {
  return {of.stack, of.end, reinterpret_cast<const void*>(&jackdaw_call_on)};
}

/// Lets the calling thread run wherever the process may.
void unpin(const machine& where) noexcept {
  if (const cpu_mask usable = usable_mask(where); where.bindable() && !usable.empty()) {
    usable.give_to_this_thread();
  }
}

/// In a frame of its own: after announce_leave() of a task that ends, what has an address in its caller's frame is gone
/// under AddressSanitizer.
[[gnu::noinline]] void tell_of_end(const worker& on, const fiber* ended, const fiber* next) noexcept {
  if (next != nullptr) {
    tell(on, event_kind::ready, next);
  }
  tell(on, event_kind::leave, ended, worker_event::reason::ended);
}

/// The function of a fiber that a loop has started.
JACKDAW_UNSEEN void live(void* self) noexcept {
  announce_arrive();
  entry* const task = static_cast<fiber*>(self)->job;
  static_cast<fiber*>(self)->tie = counts_ties_into();
  fiber* const next = task->start(task);
  this_worker()->finish(next);
}

}  // namespace

/// Makes an entry an item; called while no other thread can have it. What it refers to may be gone afterwards.
sched::item worker::claim(entry* taken) noexcept {
  if (taken->start != nullptr) {
    return item_of(taken);
  }
  auto* const rest = static_cast<continuation*>(taken);
  fiber* const of = rest->of;
  if (rest->group != nullptr) {
    // The child continues without its parent.
    of->context = rest->context;
    group_access::detach(*rest->group, of);
  } else {
    rests_taken.add();
  }
  // Last, and release: the child reads this without the lock before it suspends (acquire), and may be gone then.
  rest->claimed.store(true, std::memory_order_release);
  return item_of(of);
}

worker::worker(threads& home, std::uint32_t id)
    : home(home),
      id(id),
      counts(home.counts_of(id)),
      seed_(0x9e3779b97f4a7c15ull * (id + 1)),
      reserve_(home.fibers().take_needed()) {
  if (!slots_.map(2 * deque_slots * sizeof(slot), PROT_READ | PROT_WRITE, MAP_NORESERVE)) {
    home.fibers().give(reserve_);
    throw std::bad_alloc();
  }
  for (lane& each : lanes) {
    each.owner = this;
    each.deque.open(static_cast<slot*>(slots_.data()) + (&each == &lanes[0] ? 0 : deque_slots), deque_capacity);
  }
}

worker::~worker() {
  shed(0);
  reserve_->next = nullptr;
  home.fibers().give(reserve_);
  for (lane& each : lanes) {
    while (each.blocks != nullptr) {
      ::operator delete(std::exchange(each.blocks, *static_cast<void**>(each.blocks)));
    }
  }
}

void worker::loop(sched::item first) {
  thread.store(this_thread(), std::memory_order_relaxed);
  set_this_worker(this);
  for (lane& each : lanes) {
    each.exceptions = this_exception_state();
  }
  tell(*this, event_kind::start, std::string_view(), static_cast<std::int64_t>(syscall(SYS_gettid)));
  for (sched::item found = first;; found = {}) {
    if (!found) {
      found = take_next();
    }
    if (!found) {
      found = home.find(*this);
    }
    if (!found) {
      break;
    }
    run(found);
  }
  tell(*this, event_kind::stop);
  set_this_worker(nullptr);
}

void worker::run(sched::item found) noexcept {
  fiber* next = materialize(found);
  bool resumes = (found.handle() & 1) == 0;
  while (next != nullptr && !sent_home(next)) {
    tell(*this, event_kind::run, next, std::exchange(resumes, true));
    enter(next);
    next = then_(*this, left_, argument_);
  }
}

/// Whether another thread has to enter the fiber. Then it is on its way there.
bool worker::sent_home(fiber* next) noexcept {
  if (next->bound == nullptr || next->bound == this_thread()) {
    return false;
  }
  home.send_back(next->bound, next);
  return true;
}

void worker::put_back(sched::item found) noexcept {
  if ((found.handle() & 1) != 0) {
    auto* const what = reinterpret_cast<entry*>(found.handle() & ~std::uintptr_t{1});
    if (what->start == &summons::come) {
      home.summon(*static_cast<summons*>(what));  // not into a deque: it may be withdrawn
      return;
    }
    home.use(id, sched::deque_kind::local);
    keep(what);
  } else {
    home.requeue(reinterpret_cast<fiber*>(found.handle()));  // it may have taken along entries
  }
}

void worker::enter(fiber* to) noexcept {
  active->current = to;
  if (to->bound != nullptr) {
    to->bound = nullptr;
    if (to->tie != nullptr) --*to->tie;
  }
  if (to->searching) {
    home.scheduler().resume(id, *to->upper);
  }
  set_this_lane(to->searching || to == reserve_ || home.recorder() != nullptr ? nullptr : active);
  swap_exceptions(to->exceptions);
  announce_leave(nullptr, to, false);
  if (const checks::hooks* const told = watching()) [[unlikely]] {
    told->enter(stack_of(*to), resumes_at(to->context));
  }
  jackdaw_switch(&context_, to->context, nullptr);
  active->current = nullptr;
  announce_arrive();
  set_this_lane(nullptr);
}

void worker::leave(afterwards then, void* argument, worker_event::reason why) noexcept {
  fiber* const self = active->current;
  then_ = then;
  left_ = self;
  argument_ = argument;
  if (home.ties_tasks()) {
    self->bound = this_thread();
    if (self->tie != nullptr) ++*self->tie;
  }
  if (const checks::hooks* const told = watching()) [[unlikely]] {
    told->leave();
  }
  tell(*this, event_kind::leave, self, why);
  swap_exceptions(self->exceptions);
  announce_leave(self, nullptr, false);
  jackdaw_switch(&self->context, context_, nullptr);
  // This may be another worker now, so nothing of the old one may be accessed.
  announce_arrive();
}

bool stand_aside(bool rests) noexcept {
  worker* const self = this_worker();
  if (self == nullptr || self->never_suspends()) {
    return false;
  }
  self->suspend(
      [](worker& on, fiber* left, void* rests) noexcept -> fiber* {
        rests != nullptr ? on.home.let_rest(left) : on.home.requeue(left);
        return nullptr;
      },
      rests ? self : nullptr);
  return true;
}

void worker::suspend(afterwards then, void* argument) noexcept {
  if (stranded) {
    end_of_child("a task waits for work that only the parent process has: call exec or _exit before it does");
  }
  counts.suspensions.add();
  fiber* const self = active->current;
  if (self == reserve_) {
    fatal("a task that runs in place waits for one that does not");
  }
  // A child whose parent found no room in the deque is called like a function: it and its caller leave together.
  fiber* child = self;
  while (!child->exposed) {
    child = child->parent.of;
  }
  if (!child->parent.claimed.load(std::memory_order_acquire)) {
    // The exposed entry is on that fiber, which may end on another worker. So the parent itself is exposed instead.
    fiber* const parent = child->parent.of;
    active->deque.replace(&child->parent, &parent->self, [this, child, parent] {
      // Not earlier, because a thief may have had the parent by then.
      parent->self.of = parent;
      parent->self.group = nullptr;
      rests_exposed.add();
      child->parent.claimed.store(true, std::memory_order_relaxed);
      parent->context = child->parent.context;
      group_access::detach(*child->parent.group, parent);
    });
  }
  leave(then, argument, worker_event::reason::waits);
}

JACKDAW_UNSEEN void worker::finish(fiber* next) noexcept {
  check_process();
  fiber* const self = active->current;
  then_ = [](worker& on, fiber* left, void* next) noexcept {
    left->job = nullptr;
    left->upper = nullptr;
    left->searching = false;
    left->exceptions = {};
    if (left != on.reserve_) {
      fiber*& spares = on.spares(*on.active);
      left->next = std::exchange(spares, left);
      if (++on.ended_ % ends_between_sheds == 0) {
        on.shed();
      }
    }
    return static_cast<fiber*>(next);
  };
  left_ = self;
  argument_ = next;
  if (const checks::hooks* const told = watching()) [[unlikely]] {
    told->end(stack_of(*self));
  }
  tell_of_end(*this, self, next);
  announce_leave(self, nullptr, true);
  jackdaw_switch(&self->context, context_, nullptr);
  fatal("a task went on after its end");
}

void worker::strand() noexcept {
  stranded = true;
  home.leave_counts_to_parent();
  home.stop_observing();
  for (lane& each : lanes) {
    each.deque.keep();
  }
  mailbox.collect();  // the item is the parent process's
  if (active->current != nullptr) {
    active->current->searching = false;  // the scheduler must not be asked any more
  }
  set_this_lane(home.recorder() != nullptr ? nullptr : active);
  unpin(home.where());
}

void worker::check_process() const noexcept {
  if (stranded) {
    end_of_child("a task that began in the parent process has ended: call exec or _exit before it does");
  }
}

bool worker::never_suspends() const noexcept { return stranded || in_place() || home.recorder() != nullptr; }

fiber*& worker::spares(lane& of) noexcept { return home.ties_tasks() ? hidden_spares_[&of - &lanes[0]] : of.spare; }

bool worker::refill() noexcept {
  fiber*& here = spares(*active);
  if (stranded && here == nullptr) {
    return false;  // a thread that does not exist here may hold the pool's lock
  }
  if (here == nullptr) {
    fiber*& other = spares(active == &lanes[0] ? lanes[1] : lanes[0]);
    here = other != nullptr ? std::exchange(other, nullptr) : home.fibers().take();
  }
  return here != nullptr;
}

void worker::shed(std::size_t kept) noexcept {
  if (stranded) {
    return;  // as in refill()
  }
  for (lane& each : lanes) {
    fiber** end = &spares(each);
    for (std::size_t i = 0; i < kept && *end != nullptr; ++i) {
      end = &(*end)->next;
    }
    if (*end != nullptr) {
      home.fibers().give(std::exchange(*end, nullptr));
    }
  }
}

fiber* worker::begin(entry* job) noexcept {
  fiber* fresh = reserve_;
  if (refill()) {
    fiber*& spare = spares(*active);
    fresh = spare;
    spare = fresh->next;
  } else {
    // The tasks that wait for this one may hold all existing stacks, so it runs now. The reserve is free, because a
    // task on it leaves it only at its end.
    counts.in_place.add();
  }
  acquires(job);
  fresh->job = job;
  fresh->bound = nullptr;
  fresh->parent.claimed.store(true, std::memory_order_relaxed);
  announce_start(fresh);
  fresh->context = make_context(fresh->top(), &live, fresh);
  return fresh;
}

fiber* worker::materialize(sched::item what) noexcept {
  counts.tasks.add();
  if ((what.handle() & 1) != 0) {
    return begin(reinterpret_cast<entry*>(what.handle() & ~std::uintptr_t{1}));
  }
  auto* const rest = reinterpret_cast<fiber*>(what.handle());
  if (sent_home(rest)) {
    return nullptr;  // with the entries that it has taken along
  }
  if (rest->turn.count > active->deque.room()) {
    // An empty deque that starts at its bottom again has room for as many entries as any deque had, including rests
    // beyond the capacity. Thieves that emptied it leave its head where it is.
    if (active->deque.size() != 0) {
      home.requeue(rest);  // a worker with an emptier deque will take it
      return nullptr;
    }
    (void)active->deque.pop_newest();  // finds none, and resets the deque to its bottom
  }
  take_up(rest->turn);
  return rest;
}

sched::upper_task* running_upper_task() noexcept {
  const worker* const on = this_worker();
  const fiber* const current = on != nullptr ? on->active->current : nullptr;
  return current != nullptr ? current->upper : nullptr;
}

void worker::adopt(sched::upper_task* upper, bool searching) noexcept {
  fiber* const self = active->current;
  self->upper = upper;
  self->searching = searching && self != reserve_;
  if (upper != nullptr) {
    tell(*this, event_kind::begin, *upper, self);
    home.scheduler().resume(id, *upper);
  }
  if (searching) {
    set_this_lane(nullptr);
  }
}

void worker::expose(fiber* rest) noexcept {
  rest->self.of = rest;
  rest->self.group = nullptr;
  rest->self.claimed.store(false, std::memory_order_relaxed);
  rests_exposed.add();
  keep(&rest->self);
}

void worker::keep(entry* what) noexcept {
  if (!active->deque.push(what)) {
    active->deque.serve();
    home.notice(id);
    if (mailbox.full() || gives_way.load(std::memory_order_relaxed)) {
      summon();  // that question is withdrawn, and not every caller looks now
    }
  }
}

void worker::summon() noexcept {
  for (lane& each : lanes) {
    each.deque.summon();
  }
}

sched::item worker::pop(lane& from) noexcept {
  entry* const newest = from.deque.pop_newest();
  return newest != nullptr ? claim(newest) : sched::item{};
}

sched::item worker::steal(lane& from, bool by_force) noexcept {
  sched::item found;
  const auto take = [this, &found](entry* oldest) { found = claim(oldest); };
  if (from.deque.steal(take) == nullptr && by_force && from.deque.force(take) != nullptr) {
    counts.forced_steals.add();
  }
  return found;
}

std::uint32_t worker::random(std::uint32_t below) noexcept {
  // xorshift64*: good enough to choose victims.
  seed_ ^= seed_ >> 12;
  seed_ ^= seed_ << 25;
  seed_ ^= seed_ >> 27;
  return static_cast<std::uint32_t>(((seed_ * 0x2545f4914f6cdd1dull >> 32) * below) >> 32);
}

}  // namespace jackdaw::detail
