#include "runtime/threads.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "jackdaw/access.hpp"
#include "jackdaw/detail/home_slot.hpp"
#include "jackdaw/error.hpp"
#include "numa/pinned_touch.hpp"
#include "runtime/fatal.hpp"
#include "runtime/guest.hpp"
#include "runtime/held_thread.hpp"
#include "runtime/layout.hpp"
#include "runtime/notes.hpp"
#include "runtime/overflow.hpp"
#include "runtime/recording.hpp"
#include "runtime/refused_threads.hpp"
#include "runtime/registry.hpp"
#include "runtime/run_log.hpp"
#include "runtime/threads_data.hpp"
#include "trace/recorder.hpp"

namespace jackdaw::detail {
namespace {

using clock = std::chrono::steady_clock;

/// How often a task that ends a runtime looks whether its roots have ended.
constexpr auto between_polls = std::chrono::microseconds(20);
constexpr unsigned polls_between_turns = 50;

/// Whether this decision's advice is new in this process, and it is among the first 16 decisions with advice. There is
/// no lock, because a fork() could leave it locked. Relaxed: the pointers point to constants that were there from the
/// beginning.
bool is_new(const sched::decision& what) noexcept {
  static constinit std::array<std::atomic<const sched::decision*>, 16> given{};
  for (auto& each : given) {
    const sched::decision* none = nullptr;
    if (each.compare_exchange_strong(none, &what, std::memory_order_relaxed)) return true;
    if (*none == what) return false;
  }
  return false;
}

}  // namespace

threads::threads(std::unique_ptr<sched::scheduler> scheduler, const machine& where, std::vector<worker_place> places,
                 std::size_t stack_size, trace::recorder* into, profile::thread_samples samples,
                 profile::perf_calls& counting, observer* watching, run_log* log, hosted in)
    : counted_(in),
      scheduler_(std::move(scheduler)),
      host_(in.by),
      urgency_(in.urgency),
      apart_of_(in.apart_of),
      recorder_(into),
      observer_(watching),
      log_(log),
      where_(where),
      places_(std::move(places)),
      squads_(squads_of(where_, places_)),
      cache_squads_(cache_squads_of(where_, places_)),
      data_(memory_nodes::here(where_, squads_, places_), where_.bindable(), usable_cpus(where_), squads_,
            numa::linux_kernel(), profile::linux_pages(), std::move(samples)),
      profiler_(private_caches(where_, places_), are_pinned(places_), counting),
      fibers_(stack_size),
      near_(where_, places_),
      ties_tasks_(in.tied || (host_ != nullptr && host_->ties_tasks_)),
      page_(static_cast<std::uint32_t>(places_.size()), scheduler_->name()),
      before_(places_.size()),
      sleepers_(static_cast<std::uint32_t>(places_.size()), std::max(1u, where_.usable_cpus())),
      visits_(places_.size()) {
  const std::uint32_t count = workers();
  distances_.resize(std::size_t{count} * count);
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = 0; b < count; ++b) {
      // Two workers on one core are nearer than any other two, but not at distance 0.
      const unsigned distance = a == b ? 0 : 1 + where.distance(places_[a], places_[b]);
      distances_[std::size_t{a} * count + b] = static_cast<std::uint8_t>(std::min(distance, 255u));
      max_distance_ = std::max(max_distance_, std::min(distance, 255u));
    }
  }
  crowded_ = count > where.usable_cpus() || !where.bindable() || (where.cpu_quota && count > *where.cpu_quota);
  looks_around_ = crowded_ ? 1 + count / 64 : 1;
  for (const worker_place& each : places_) {
    cpus_.push_back(where_.bindable() ? cpus_of(where_, each) : std::vector<unsigned>());
  }
  for (std::uint32_t id = 0; id < count; ++id) {
    workers_.push_back(std::make_unique<worker>(*this, id));
  }
  data_.show(observer_);
  scheduler_->start({*this, counts_, data_});
  rescues_ = std::isfinite(scheduler_->patience());
  // What the kernel counts for a thread, and what an observer or a record says of it, is its worker's.
  has_places_ = recorder_ == nullptr && observer_ == nullptr && log_ == nullptr && !scheduler_->needs_own_threads();
  if (host_ != nullptr) {
    if (scheduler_->needs_own_threads()) {
      throw error("arena: the scheduler '" + std::string(scheduler_->name()) +
                  "' needs threads of its own here, expected another one, such as adws");
    }
    open_places();
    enlist(*this);
    return;
  }
  running_.reserve(count);
  enlist(*this);
  try {
    for (std::uint32_t id = 0; id < count; ++id) {
      running_.emplace_back([this, id] {
        settle_this_thread(cpus_[id]);
        const cpu_mask usable = usable_mask(where_);
        std::optional<held_thread> held;
        if (where_.bindable()) {
          held.emplace(usable);
        }
        set_this_home_slot(slot_of_node(where_.nodes[places_[id].numa_node].os_index));
        const overflow_memory memory;
        const overflow_stack for_handler(memory);
        data_.arrive(id, workers_[id]->counts);
        workers_[id]->loop();
        data_.leave();
      });
    }
  } catch (const std::system_error& refused) {
    const std::size_t started = running_.size();
    stop();
    throw refused_threads(
        "runtime: the system started " + std::to_string(started) + " threads, expected " + std::to_string(count) +
            " (" + refused.code().message() +
            "): allow more (ulimit -u, pids.max, vm.max_map_count), or ask for fewer (JACKDAW_WORKERS)",
        static_cast<unsigned>(started));
  } catch (...) {
    stop();
    throw;
  }
}

threads::~threads() {
  stop();
  if (counts_accesses_) {
    access_listeners.fetch_sub(1, std::memory_order_relaxed);
  }
}

/// A new thread inherits the pinning of the thread that makes the runtime, which may be a worker. If the system refuses
/// (the cpuset has shrunk meanwhile), or there is no memory, the thread stays where the system puts it.
void threads::settle_this_thread(const std::vector<unsigned>& cpus) const noexcept {
  try {
    if (where_.bindable()) {
      numa::pin_this_thread(cpus);
    }
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
  }
}

void threads::stop_observing() noexcept {
  observer_ = nullptr;
  data_.show(nullptr);
}

/// The clients may not ask any more, so this thread asks in their place, every millisecond, as often as they would.
void threads::wait_for_roots() noexcept {
  for (unsigned polls = 1; roots_.any(); ++polls) {
    // Its worker may have to run the roots; later on it may need nothing else to do for that.
    const bool rests = polls > polls_between_turns;
    const bool is_task = stand_aside(rests);
    std::this_thread::sleep_for(is_task ? between_polls : polls_between_turns * between_polls);
    if (is_task && !rests) {
      continue;
    }
    for (std::uint32_t asked = 0; asked < std::min(roots_.count(), workers()); ++asked) {
      let_take_turns(true);
    }
  }
}

void threads::stop() noexcept {
  apart_.clear();  // their threads may be needed to leave them
  stopping_.store(true, std::memory_order_seq_cst);
  for (std::uint32_t id = 0; id < workers(); ++id) {
    if (sleepers_.rise(id)) {
      unpark(id);
    }
  }
  if (host_ != nullptr) {
    close_places();
  }
  for (std::thread& each : running_) {
    each.join();
  }
  running_.clear();
  while (wakers_.load(std::memory_order_acquire) != 0) {
    hardware::yield();
  }
  discharge(*this);
}

void threads::place(const sched::destination& where, sched::item what, queued& turn) noexcept {
  if (where.where == sched::destination::how::anyone || !try_place(where, what)) {
    queue(turn, what);
  }
}

bool threads::try_place(const sched::destination& where, sched::item what) noexcept {
  if (where.where == sched::destination::how::mailbox) {
    post(where.worker, what);
    return true;
  }
  try {
    put(where.pool, where.end, what, where.order);
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

// ---- sched::task_runner --------------------------------------------------------------------------------------------

void threads::use(sched::worker_id self, sched::deque_kind where) noexcept {
  worker& on = *workers_[self];
  on.active = &on.lanes[static_cast<std::size_t>(where)];
}

sched::deque_kind threads::uses(sched::worker_id self) const noexcept {
  return static_cast<sched::deque_kind>(workers_[self]->active - workers_[self]->lanes);
}

sched::item threads::pop(sched::worker_id self, sched::deque_kind from) noexcept {
  worker& on = *workers_[self];
  return on.pop(on.lanes[static_cast<std::size_t>(from)]);
}

sched::item threads::steal(sched::worker_id self, sched::worker_id victim, sched::deque_kind from) noexcept {
  worker& thief = *workers_[self];
  const sched::item found = thief.steal(workers_[victim]->lanes[static_cast<std::size_t>(from)], thief.forcing);
  if (found) {
    tell(thief, event_kind::steal, victim);
  } else if (log_ != nullptr) [[unlikely]] {
    log_->missed(self, victim);
  }
  // Distances are one more than machine::distance, which is 4 and more between packages.
  constexpr unsigned same_core = 1, same_cache = 2, other_package = 5;
  worker_counts& count = thief.counts;
  const unsigned apart = distance(self, victim);
  if (!found) {
    (apart >= other_package ? count.failed_remote : count.failed_local).add();
    return found;
  }
  (apart >= other_package ? count.steals_remote
   : apart == same_core   ? count.steals_core
   : apart == same_cache  ? count.steals_cache
                          : count.steals_package)
      .add();
  return found;
}

void threads::post(sched::worker_id to, sched::item what) {
  worker& addressee = *workers_[to];
  if (!addressee.mailbox.post(what)) {
    fatal("a second task was posted to a full mailbox");
  }
  addressee.summon();
  if (sleepers_.rise(to)) {
    unpark(to);
  } else {
    have_watched(to);  // the addressee may be busy for long
  }
}

void threads::wake(sched::worker_id who) noexcept {
  if (sleepers_.rise(who)) {
    unpark(who);
  }
}

sched::item threads::collect(sched::worker_id self) noexcept {
  worker& addressee = *workers_[self];
  const sched::item found = addressee.mailbox.collect();
  if (found) {
    addressee.counts.at_home.add();
  }
  return taken(self, worker_event::source::mailbox, self, found);
}

sched::item threads::next_root(sched::worker_id self) noexcept {
  const sched::item first = urgent_.take();
  return taken(self, worker_event::source::queue, 0, first ? first : run_queue_.take());
}

sched::item threads::taken(sched::worker_id self, worker_event::source from, std::uint32_t other,
                           sched::item found) noexcept {
  if (found) {
    tell(*this, self, event_kind::take, from, other);
  }
  return found;
}

sched::pool_id threads::make_pool(sched::worker_id home, sched::access to) {
  const auto made = static_cast<sched::pool_id>(pools_.size());
  pools_.push_back(std::make_unique<pool>(home, to));
  (to == sched::access::scope ? workers_[home]->pools : guarded_).push_back(made);
  return made;
}

void threads::put(sched::pool_id to, sched::pool_end where, sched::item what, std::uint64_t order) {
  pool& into = *pools_[to];
  {
    const std::lock_guard hold(into.mutex);
    into.items.put(what, where, order);
    into.size.store(into.items.size(), std::memory_order_seq_cst);
  }
  if (into.to == sched::access::guarded) {
    // A worker that lies down after this looks at the pool after it has set its bit.
    if (const auto who = sleepers_.summon(into.home, [&](std::uint32_t each) { return may_take(each, to); });
        who != sleepers_.none) {
      unpark(who);
    } else {
      have_watched(into.home);  // the workers that may take it may be busy for long
    }
  } else if (sleepers_.rise(into.home)) {
    unpark(into.home);
  } else {
    notice(into.home);
  }
}

sched::item threads::take(sched::worker_id self, sched::pool_id from, sched::pool_end where) noexcept {
  pool& out = *pools_[from];
  if (out.size.load(std::memory_order_relaxed) == 0) {
    return {};
  }
  sched::item found;
  {
    const std::lock_guard hold(out.mutex);
    found = out.items.take(where);
    out.size.store(out.items.size(), std::memory_order_relaxed);
  }
  if (found) {
    worker_counts& count = workers_[self]->counts;
    (places_[self].numa_node == places_[out.home].numa_node ? count.at_home : count.away).add();
  }
  return taken(self, worker_event::source::pool, from, found);
}

void threads::set_scope(sched::worker_id self, sched::worker_range scope) noexcept { sleepers_.set_scope(self, scope); }

void threads::rouse(sched::worker_range range) noexcept {
  hardware::full_fence();
  bool any = false;
  for (std::uint32_t id = range.first; id <= range.last && id < workers(); ++id) {
    if (sleepers_.asleep(id)) {
      sleepers_.set_scope(id, range);
      any = true;
    }
  }
  if (any) {
    ask(range);
    notice(range.first);
  }
}

std::uint32_t threads::random(sched::worker_id self, std::uint32_t below) noexcept {
  return workers_[self]->random(below);
}

unsigned threads::distance(sched::worker_id a, sched::worker_id b) const noexcept {
  return distances_[std::size_t{a} * workers() + b];
}

void threads::note(sched::worker_id self, const sched::decision& what, std::int64_t value) {
  tell(*this, self, event_kind::decide, what.name, value);
  if (log_ != nullptr) log_->decide(self, what, value);
  if (what.advice.empty() || !is_new(what)) return;
  // This allocates no memory, because a scheduler that decides must not throw. It makes one call, so that lines do not
  // mix.
  const std::size_t at = what.advice.find("{}");
  const bool numbered = at != std::string_view::npos;
  const std::string_view head = what.advice.substr(0, at);
  const std::string_view tail = numbered ? what.advice.substr(at + 2) : std::string_view();
  std::array<char, 24> number{};
  if (numbered) std::to_chars(number.data(), number.data() + number.size() - 1, value);
  std::fprintf(stderr, "jackdaw: %.*s%s%.*s\n", static_cast<int>(head.size()), head.data(), number.data(),
               static_cast<int>(tail.size()), tail.data());
}

double threads::now() const noexcept {
  return std::chrono::duration<double, std::nano>(clock::now().time_since_epoch()).count();
}

void threads::declare(sched::worker_id self, const declared_access& what) noexcept {
  if (workers_[self]->stranded) {
    return;
  }
  const bool profiled = profiler_.listening();
  if (profiled) {
    profiler_.declare(self, what);
  }
  try {
    data_.declare(self, what, profiled || counts_accesses_);
    if (log_ != nullptr) [[unlikely]]
      log_->declare(self, what);
  } catch (const std::bad_alloc&) {
    return;  // the access is not counted
  }
}

void threads::root_comes() noexcept {
  if (log_ != nullptr) [[unlikely]]
    log_->begin_root(*this);
}
void threads::root_goes() noexcept {
  if (log_ != nullptr) [[unlikely]]
    log_->end_root(*this);
}

void threads::count_accesses() noexcept {
  counts_accesses_ = true;
  access_listeners.fetch_add(1, std::memory_order_relaxed);
}

statistics threads::counted_by(std::uint32_t id, std::uint64_t now) const noexcept {
  statistics since = page_.of(id).read(now);
  since -= load_counts(before_[id]);
  return since;
}

std::vector<statistics> threads::counters() const {
  std::vector<statistics> of;
  const std::uint64_t now = counting_clock();
  for (std::uint32_t id = 0; id < workers(); ++id) {
    of.push_back(counted_by(id, now));
  }
  return of;
}

statistics threads::stats() const noexcept {
  statistics sum;
  const std::uint64_t now = counting_clock();
  for (std::uint32_t id = 0; id < workers(); ++id) {
    sum += counted_by(id, now);
  }
  return sum;
}

/// The page's counts go on, for other processes and because their workers alone write them.
void threads::reset_stats() noexcept {
  const std::uint64_t now = counting_clock();
  for (std::uint32_t id = 0; id < workers(); ++id) {
    store_counts(before_[id], page_.of(id).read(now));
  }
}

void threads::leave_counts_to_parent() noexcept {
  page_.leave_to_parent();
  for (statistics& each : before_) {
    store_counts(each, {});
  }
}

}  // namespace jackdaw::detail
