#pragma once

#include <cstdint>
#include <vector>

#include "sched/decision.hpp"
#include "sched/span.hpp"

namespace jackdaw::sched {

using worker_id = std::uint32_t;

/// Something that a worker can run next: a task not yet started, or a suspended one that can go on. Only the engine
/// knows which. Empty: nothing.
class item {
 public:
  constexpr item() = default;
  constexpr explicit item(std::uintptr_t handle) noexcept : handle_(handle) {}
  constexpr explicit operator bool() const noexcept { return handle_ != 0; }
  constexpr std::uintptr_t handle() const noexcept { return handle_; }
  friend constexpr bool operator==(item, item) = default;

 private:
  std::uintptr_t handle_ = 0;
};

/// A worker's two deques (ADWS 4.2.3): `local` for what it found or stole itself and all that comes of it, `migrated`
/// for tasks that others handed to it and all that comes of those.
enum class deque_kind : std::uint8_t { local, migrated };

/// Number of a pool of items, as made by task_runner::make_pool.
using pool_id = std::uint32_t;
/// Where an item goes in a pool, or is taken from.
enum class pool_end : std::uint8_t {
  front,
  back,
  in_order,  ///< behind those, from the front on, whose order is not greater; to put only
};

/// Which workers may take from a pool, and so are woken for its sake.
enum class access : std::uint8_t {
  scope,    ///< workers that have its home in their scope
  guarded,  ///< workers for which scheduler::may_take is true
};

/// Workers that share a memory node and a last-level cache: those of a socket, or of one of its NUMA domains (CAB's
/// squad). Their numbers follow one another.
struct squad {
  worker_range workers;
  std::uint64_t shared_cache = 0;  ///< bytes, of all its last-level caches together; 0: not known
};

/// What a scheduler may ask of the workers, their deques and what waits for them. No call blocks. Calls that name a
/// worker as `self` are made on behalf of that worker, by it.
class task_runner {
 public:
  virtual ~task_runner() = default;

  virtual std::uint32_t workers() const noexcept = 0;
  /// 0 the same worker; grows with the distance of caches and memory, to at most max_distance().
  virtual unsigned distance(worker_id a, worker_id b) const noexcept = 0;
  virtual unsigned max_distance() const noexcept = 0;

  /// Forks of the lower tier that follow on this worker go to this deque.
  virtual void use(worker_id self, deque_kind where) noexcept = 0;
  /// The newest entry of an own deque.
  virtual item pop(worker_id self, deque_kind from) noexcept = 0;
  /// The oldest entry of another worker's deque.
  virtual item steal(worker_id self, worker_id victim, deque_kind from) noexcept = 0;
  /// Whether this look steals whatever is there. Before it has found nothing for a while a worker leaves to others what
  /// they have not offered yet, which costs them less.
  virtual bool insists(worker_id self) const noexcept = 0;

  /// The oldest of the tasks that wait for any worker (destination::how::anyone). To be asked for before others are
  /// stolen from.
  virtual item next_root(worker_id self) noexcept = 0;
  /// Whether any wait so. A root that comes now is not laid out: it would be ahead of these.
  virtual bool roots_wait() const noexcept = 0;

  /// A worker's mailbox: one slot for a task of the upper tier. Posting to a full one breaks an invariant and ends the
  /// program. The addressee looks as soon as its task forks, ends or waits; if it does not come for long another worker
  /// runs the task (scheduler::patience).
  virtual void post(worker_id to, item what) = 0;
  virtual item collect(worker_id self) noexcept = 0;

  /// Pools hold any number of items. `home` is the worker that is woken when something is put; `order` counts for
  /// pool_end::in_order.
  virtual pool_id make_pool(worker_id home, access to = access::scope) = 0;
  virtual void put(pool_id to, pool_end where, item what, std::uint64_t order) = 0;
  virtual item take(worker_id self, pool_id from, pool_end where) noexcept = 0;

  /// Says which workers this one would steal from now. It is woken for their sake only. None: `first` > `last`.
  virtual void set_scope(worker_id self, worker_range scope) noexcept = 0;
  /// The workers of `range` may steal from one another from now on: those that sleep have that range as scope, and one
  /// of them is woken.
  virtual void rouse(worker_range range) noexcept = 0;

  /// Wakes that worker if it sleeps: what scheduler::may_take says of it has changed.
  virtual void wake(worker_id who) noexcept = 0;

  /// All of them, in the order of workers; there is at least one, and none is empty.
  virtual const std::vector<squad>& squads() const noexcept = 0;
  /// ns since some moment in the past.
  virtual double now() const noexcept = 0;
  /// Uniform in [0, below), below >= 1.
  virtual std::uint32_t random(worker_id self, std::uint32_t below) noexcept = 0;

  /// Records a decision of the scheduler in logs. Threads print its advice, if it has one, once a process. The decision
  /// lives as long as the logs, and may not be a temporary.
  virtual void note(worker_id /*self*/, const decision&, std::int64_t /*value*/) {}
  void note(worker_id self, const decision&& temporary, std::int64_t value) = delete;
};

}  // namespace jackdaw::sched
