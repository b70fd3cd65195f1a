#pragma once

#include <cstdint>
#include <vector>

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
enum class lane : std::uint8_t { local, migrated };

/// Number of a pool of items, as made by engine::make_pool.
using pool_id = std::uint32_t;
/// Where an item goes in a pool, or is taken from.
enum class pool_end : std::uint8_t {
  front,
  back,
  in_order,  ///< behind those, from the front on, whose order is not greater; to put only
};

/// Who may take from a pool, and so is woken for its sake.
enum class access : std::uint8_t {
  scope,    ///< those who have its home in their scope
  guarded,  ///< those whom scheduler::may_take lets
};

/// Workers that share a memory node and a last-level cache: those of a socket, or of one of its NUMA domains (CAB's
/// squad). Their numbers follow one another.
struct squad {
  worker_range workers;
  std::uint64_t shared_cache = 0;  ///< bytes, of all its last-level caches together; 0: not known
};

/// What a worker has done so far, as far as engine::profile lets it be counted; differences of two readings count.
struct counts {
  std::uint64_t misses = 0;        ///< lines of 64 bytes that its last private cache did not have
  std::uint64_t instructions = 0;  ///< retired
  std::uint64_t local = 0;         ///< lines that came from memory nodes of its own squad, of whatever kind
  std::uint64_t remote = 0;        ///< lines that came from other memory nodes

  friend constexpr counts operator-(const counts& a, const counts& b) noexcept {
    return {a.misses - b.misses, a.instructions - b.instructions, a.local - b.local, a.remote - b.remote};
  }
  friend constexpr counts operator+(const counts& a, const counts& b) noexcept {
    return {a.misses + b.misses, a.instructions + b.instructions, a.local + b.local, a.remote + b.remote};
  }
};

/// No node, or no squad.
inline constexpr std::uint32_t nobody = ~std::uint32_t{0};

/// A memory node as a scheduler sees it.
struct memory_node {
  std::uint32_t squad = nobody;  ///< whose workers it is local to; of several the first; nobody: no worker is near it
  bool fast = false;             ///< has more bandwidth than another node of its squad (HBM beside DRAM)
  double bandwidth = 1;          ///< bytes a second, or in another unit that all nodes share; > 0; nothing known: all 1
};

/// A part of the program's data that is watched and moved as a whole (BATS's logical VMA): what one leaf of an
/// initialiser touched.
struct area {
  std::uint32_t node = nobody;  ///< index in engine::nodes() of the node that has most of it; nobody: not known
  double heat = 0;              ///< accesses to it, by samples of them or of its pages (BATS Eq. 4)
  std::uint64_t bytes = 0;
};

/// Where counts come from.
enum class evidence : std::uint8_t {
  counters,    ///< of the processor
  declared,    ///< lines of declared accesses; instead of instructions, ns of work without page faults
  simulation,  ///< of the simulated cores; two instructions for each ns of computing
};

/// What a scheduler may decide of a region when an iteration of it begins or ends, and what the value says.
enum class decision : std::uint8_t {
  profile,  ///< this iteration is profiled; the evidence, as a number
  plain,    ///< it is stolen plainly; 0: the region is CPU-bound, or nothing is known of it yet; 1: to try it, or since
            ///< that takes the least time
  spread,   ///< its tasks go to the squads of their spans and are not packed
  pack,     ///< they are packed; the packing's step from the first one
  boundary,  ///< CAB: the boundary level
  raise,     ///< CAB: no task at that level has forked, so that the next iteration gets the level above
  marked,    ///< CAB: the program marks its inter-socket tasks; 0: this iteration from now on, 1: from its beginning
  settle,    ///< the search for a packing has ended; how many packings were tried
  divide,    ///< nothing was counted, so tasks are taken to use their parts of the data size; its bytes
  /// BATS: what this iteration touches first goes to the node of its span; 0: its tree is learned as well, 1: known
  distribute,
  balance,   ///< BATS: data have moved to balance the traffic; their bytes
  unseen,    ///< BATS: nothing could be seen of what data are hot, or of what is local; 0: the former, 1: the latter
  explore,   ///< BATS: subgraphs are tried on squads, one at a time in each; how many iterations before it did that
  localise,  ///< BATS: subgraphs run on the squads found for them; how many of them are high-localised ones
};

/// What a scheduler may ask of the machine that runs it, be it threads or a simulation. No call blocks. Calls that name
/// a worker as `self` are made on behalf of that worker, by it.
class engine {
 public:
  virtual ~engine() = default;

  virtual std::uint32_t workers() const noexcept = 0;
  /// 0 the same worker; grows with the distance of caches and memory, to at most max_distance().
  virtual unsigned distance(worker_id a, worker_id b) const noexcept = 0;
  virtual unsigned max_distance() const noexcept = 0;

  /// Forks of the lower tier that follow on this worker go to this deque.
  virtual void use(worker_id self, lane where) noexcept = 0;
  /// The newest entry of an own deque.
  virtual item pop(worker_id self, lane from) noexcept = 0;
  /// The oldest entry of another worker's deque.
  virtual item steal(worker_id self, worker_id victim, lane from) noexcept = 0;
  /// Whether this look steals whatever is there. Before it has found nothing for a while a worker leaves to others what
  /// they have not offered yet, which costs them less.
  virtual bool insists(worker_id self) const noexcept = 0;

  /// The oldest of the tasks that wait for whoever comes (placement::how::anyone). To be asked for before others are
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

  /// Says from whom this worker would steal now: it is woken for their sake only. None: `first` > `last`.
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
  /// Begins or ends counting what the workers do. The answer is what is counted, or was; another one at the end than at
  /// the beginning: the counts are worth nothing, and next time it will be that.
  virtual evidence profile(worker_id self, bool on) = 0;
  /// That worker's counts: up to now if that worker asks, else up to when it last had nothing to do.
  virtual counts counts_of(worker_id who) = 0;

  /// Memory nodes that this process may use; there is at least one. Calls below name them by their index here.
  virtual const std::vector<memory_node>& nodes() const noexcept = 0;
  /// What `self` touches first from now on goes to that node while it has room, then to the nearest to it that has
  /// some, DRAM first. `nobody`: where it would go without the scheduler.
  virtual void touch_to(worker_id self, std::uint32_t node) noexcept = 0;
  /// Begins to watch how often what has been touched so far is accessed; divided into `parts` >= 1 areas of equal size,
  /// in the order of addresses, of each of which a few pages are sampled. Where that is under way it begins anew, and
  /// what has been seen is forgotten. Called between iterations.
  virtual void watch(worker_id self, std::uint32_t parts) = 0;
  /// Ends it. The areas, by number; empty: nothing could be seen. Called between iterations.
  virtual std::vector<area> watched(worker_id self) = 0;
  /// Moves area `index` of the last watched() to that node, as far as there is room and the system lets it; what
  /// follows on `self` waits for it. Bytes that have moved. Called between iterations.
  virtual std::uint64_t move_area(worker_id self, std::uint32_t index, std::uint32_t node) = 0;

  /// Says what the scheduler has decided, for whoever wants to know.
  virtual void note(worker_id /*self*/, decision, std::int64_t /*value*/) {}

  /// Uniform in [0, below), below >= 1.
  virtual std::uint32_t random(worker_id self, std::uint32_t below) noexcept = 0;
};

}  // namespace jackdaw::sched
