#pragma once

#include <cstdint>
#include <vector>

#include "sched/decision.hpp"
#include "sched/span.hpp"

namespace jackdaw::sched {

class upper_task;
using worker_id = std::uint32_t;

/// Something that a worker can run next: a task that has not started, or a suspended one that can resume. Only the
/// engine knows which. Empty: nothing.
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

/// A worker's two deques (ADWS 4.2.3): `local` for tasks that it found or stole itself and all that they fork,
/// `migrated` for tasks that other workers sent to it and all that those fork.
enum class deque_kind : std::uint8_t { local, migrated };

/// Number of a pool of items, as made by task_runner::make_pool.
using pool_id = std::uint32_t;
/// Where an item goes in a pool, or is taken from.
enum class pool_end : std::uint8_t {
  front,
  back,
  in_order,  ///< behind the items from the front whose order is not greater; only for putting
};

/// Which workers may take from a pool, and so are woken when something is put into it.
enum class access : std::uint8_t {
  scope,    ///< workers whose scope contains its home
  guarded,  ///< workers for which scheduler::may_take is true
};

/// Workers that share a memory node: those of a socket, or of one of its NUMA domains (CAB's squad). Or those of them
/// that share a last-level cache as well. Their numbers are consecutive.
struct squad {
  worker_range workers;
  std::uint64_t shared_cache = 0;  ///< bytes, the sum of all its last-level caches; 0: not known
};

/// A scheduler's access to the workers, their deques and the tasks that wait. No call blocks. Calls with a parameter
/// `self` are made by that worker.
class task_runner {
 public:
  virtual ~task_runner() = default;

  virtual std::uint32_t workers() const noexcept = 0;
  /// Returns 0 for the same worker; grows with the distance of caches and memory, to at most max_distance().
  virtual unsigned distance(worker_id a, worker_id b) const noexcept = 0;
  virtual unsigned max_distance() const noexcept = 0;

  /// Sends this worker's forks of the lower tier to this deque from now on. Called from scheduler::idle() alone: a task
  /// that runs is at home in the deque that its worker used when it started.
  virtual void use(worker_id self, deque_kind where) noexcept = 0;
  /// Returns the deque that the worker uses. The engine changes it, too, when it gives an idle worker something itself.
  virtual deque_kind uses(worker_id self) const noexcept = 0;
  /// Takes the newest entry of the worker's own deque.
  virtual item pop(worker_id self, deque_kind from) noexcept = 0;
  /// Takes the oldest entry of another worker's deque.
  virtual item steal(worker_id self, worker_id victim, deque_kind from) noexcept = 0;
  /// Returns the placed task that goes on where it was left if this item runs; null for any other item. The caller has
  /// taken the item, and has not returned it yet.
  virtual const upper_task* continues(item what) const noexcept = 0;
  /// Whether this search steals whatever is there. A worker whose search has only begun takes just the tasks that
  /// victims have offered, which costs the victims less.
  virtual bool insists(worker_id self) const noexcept = 0;

  /// Takes the oldest of the tasks that wait for any worker (destination::how::anyone). Call it before stealing.
  virtual item next_root(worker_id self) noexcept = 0;
  /// Whether such tasks wait, or no worker is idle although there are other roots (`others`; a runner may still count
  /// one whose client knows of its end). If so, a new root is not laid out over the workers: it would overtake those
  /// that wait, and each of its parts would wait for a worker of its own.
  virtual bool crowded(bool others) const noexcept = 0;

  /// A worker's mailbox is one slot for a task of the upper tier. Posting to a full one breaks an invariant and ends
  /// the program. The addressee looks into it as soon as its task forks, ends or waits; if it does not do so for long,
  /// another worker runs the task (scheduler::patience).
  virtual void post(worker_id to, item what) = 0;
  virtual item collect(worker_id self) noexcept = 0;

  /// Pools hold any number of items. `home` is the worker that is woken when an item is put; `order` matters only for
  /// pool_end::in_order.
  virtual pool_id make_pool(worker_id home, access to = access::scope) = 0;
  virtual void put(pool_id to, pool_end where, item what, std::uint64_t order) = 0;
  virtual item take(worker_id self, pool_id from, pool_end where) noexcept = 0;

  /// Sets the workers from which this one would steal. It is woken only for their work. None: `first` > `last`.
  virtual void set_scope(worker_id self, worker_range scope) noexcept = 0;
  /// Lets the workers of `range` steal from one another from now on: the range becomes the scope of those that sleep,
  /// and one of them is woken.
  virtual void rouse(worker_range range) noexcept = 0;

  /// Wakes that worker if it sleeps, because the answer of scheduler::may_take for it has changed.
  virtual void wake(worker_id who) noexcept = 0;

  /// Returns all squads, in the order of workers; there is at least one, and none is empty.
  virtual const std::vector<squad>& squads() const noexcept = 0;
  /// Returns the same squads divided by their last-level caches, of which a socket may have several.
  virtual const std::vector<squad>& cache_squads() const noexcept = 0;
  /// Returns ns since some moment in the past.
  virtual double now() const noexcept = 0;
  /// Returns a uniform number in [0, below); below >= 1.
  virtual std::uint32_t random(worker_id self, std::uint32_t below) noexcept = 0;

  /// Records a decision of the scheduler in logs. Threads print its advice, if any, once per process. The decision must
  /// live as long as the logs, so it may not be a temporary.
  virtual void note(worker_id /*self*/, const decision&, std::int64_t /*value*/) {}
  void note(worker_id self, const decision&& temporary, std::int64_t value) = delete;
};

}  // namespace jackdaw::sched
