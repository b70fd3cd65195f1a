#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/happens_before.hpp"
#include "base/own_mapping.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/lane.hpp"
#include "jackdaw/observer.hpp"
#include "jackdaw/priority.hpp"
#include "runtime/mailbox.hpp"
#include "runtime/overflow.hpp"
#include "runtime/run_queue.hpp"
#include "runtime/shares.hpp"
#include "runtime/tally.hpp"
#include "runtime/worker_counts.hpp"
#include "sched/task_runner.hpp"
#include "sched/vigil.hpp"

JACKDAW_EXPORT_BEGIN
namespace jackdaw::detail {
class root;
}  // namespace jackdaw::detail
JACKDAW_EXPORT_END

namespace jackdaw::detail {

class client;
class threads;

/// How a thread is in a worker's place that is not its own.
enum class stay : std::uint8_t {
  usual,      ///< as a client, or in a task of an arena's host, which may ask it back
  on_errand,  ///< while its own worker sleeps: what that has may be a client's
  apart,      ///< in a task of the host, which does not ask it back
};

/// Items of the scheduler's interface are entries not yet started (bit 0 set) or suspended fibers.
inline sched::item item_of(entry* beginning) noexcept {
  releases(beginning);
  return sched::item(reinterpret_cast<std::uintptr_t>(beginning) | 1);
}
inline sched::item item_of(fiber* suspended) noexcept {
  return sched::item(reinterpret_cast<std::uintptr_t>(suspended));
}

/// A place for a thread that runs tasks: its lanes, and the loop on the thread's own stack. The thread enters fibers
/// from the loop, and they return to it. The worker starts a thread of its own; while that sleeps, a client of the
/// runtime may stand in for it (README-stand-in.md). To a place in an arena threads of another runtime come
/// (README-arena.md).
class alignas(64) worker {
 public:
  worker(threads& home, std::uint32_t id);
  ~worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  /// Runs `first`, if it is something, and what it finds, until the runtime stops or the thread has to leave an arena.
  void loop(sched::item first = {});
  /// Runs this item and what continues when it ends or leaves its stack, until the loop has to look for more.
  void run(sched::item found) noexcept;
  /// Returns what is to run before the scheduler is asked; empty: nothing.
  sched::item take_next() noexcept { return std::exchange(next_, {}); }
  /// Lets any worker take what this one has found and does not run.
  void put_back(sched::item found) noexcept;

  /// What the loop calls once a fiber is off its stack. Returns the fiber to enter next, or null.
  using afterwards = fiber* (*)(worker&, fiber* left, void* argument) noexcept;

  /// Leaves the running fiber for the loop; returns when the fiber is entered again, perhaps by another worker.
  void leave(afterwards then, void* argument, worker_event::reason why = worker_event::reason::makes_way) noexcept;
  /// Leaves the running fiber to wait for something. If its parent is still exposed, it must be able to continue
  /// without the fiber.
  void suspend(afterwards then, void* argument) noexcept;
  /// Leaves the running fiber for good.
  [[noreturn]] void finish(fiber* next) noexcept;

  /// Called when the running fiber begins a task; the scheduler knows the task if `upper` is not null.
  void adopt(sched::upper_task* upper, bool searching) noexcept;

  /// Pushes the rest of a fiber that is off its stack, for any worker to take.
  void expose(fiber* rest) noexcept;
  /// Pushes an entry that must stay in the active deque, even if that is full: a fiber's rest, or an entry that was
  /// there a moment ago.
  void keep(entry* what) noexcept;
  /// Makes the next push on this worker look up: into the mailbox, and at gives_way. Called by any thread. Release:
  /// publishes what the push has to see.
  void summon() noexcept;
  /// Whether it has been asked to give way, and there still is something to share with. The client may have asked for
  /// the very root that runs now.
  bool owes_a_turn() noexcept;
  /// Leaves the running task, so that another root has a turn. The task resumes when its own turn comes.
  void give_way() noexcept;
  /// Runs `next` as soon as the loop is reached, before asking the scheduler.
  void set_next(sched::item next) noexcept { next_ = next; }

  sched::item pop(lane& from) noexcept;
  sched::item steal(lane& from, bool by_force) noexcept;

  /// Called in the child of a fork() by a task of this worker, the calling thread. There are no other workers, and this
  /// one has no loop to return to. What the task and its callers fork from now on runs in place.
  /// src/runtime/README-life.md.
  void strand() noexcept;
  /// Called at the end of a task: ends the process if this worker is stranded.
  void check_process() const noexcept;

  /// Makes sure that the active lane has a spare stack; false if no stack is left.
  bool refill() noexcept;
  /// Gives spare stacks to the pool that all workers share, except `kept` of each lane.
  void shed(std::size_t kept = most_spares) noexcept;
  static constexpr std::size_t most_spares = 64;  ///< that shed() leaves to each lane
  /// Whether the running task is on the reserve, because there was no other stack. All that it forks runs in place, so
  /// it never leaves its stack before it has ended.
  bool in_place() const noexcept { return active->current == reserve_; }

  /// Whether the running task cannot leave its stack: what it starts runs in its place, one after another, and if it
  /// waits its thread waits.
  bool never_suspends() const noexcept;

  /// Whether neither of its deques has an entry.
  bool has_nothing() const noexcept { return lanes[0].deque.seems_empty() && lanes[1].deque.seems_empty(); }

  std::uint32_t random(std::uint32_t below) noexcept;

  threads& home;
  const std::uint32_t id;
  lane lanes[2];
  lane* active = &lanes[0];  ///< where forks of the lower tier go
  basic_mailbox<hardware> mailbox;
  std::vector<sched::pool_id> pools;   ///< the pools whose home this is; fixed once the scheduler has started
  bool stranded = false;               ///< see strand()
  bool forcing = false;                ///< this look for work takes private entries too
  sched::vigil waits;                  ///< how long it has seen things that wait for others
  double heard = 0;                    ///< since when the worker that wakes it has seen some; guarded by `parked`
  std::atomic<bool> gives_way{false};  ///< the running task gives another root a turn at its next fork
  std::int64_t holds_back_until = 0;   ///< pushes answer no question before that time (head_start); ns
  bool takes_turn = false;             ///< the running task gave way: the loop takes a turn next
  shares time;                         ///< decides which kind of work comes next
  tally rests_exposed;  ///< suspended tasks that it has put into its deques, and that it has taken out of any
  tally rests_taken;
  tally loose_put;    ///< in an engine for isolated tasks: entries that no root waits for (oneTBB's tasks), put here
  tally loose_ended;  ///< the same, those that have ended here or have been taken out again
  using doing = worker_counts::doing;
  std::atomic<doing> state{doing::searching};
  /// Says what it does from now on.
  void turn_to(doing next) noexcept {
    state.store(next, std::memory_order_relaxed);
    counts.turn_to(next, counting_clock());
  }
  /// The futex: who may be in this worker's place. Its own thread runs only while it is `own`.
  enum seat : std::uint32_t {
    own,     ///< the worker's thread runs, or has been woken
    closed,  ///< it sleeps or is about to; nobody may stand in for it
    open,    ///< it sleeps until it is woken, and touches nothing of the worker meanwhile
    lent,    ///< a client stands in for it
    sublet,  ///< the same in an arena, but the thread that has lent the place waits inside
  };
  std::atomic<std::uint32_t> parked{own};
  const overflow_memory handler_stack;  ///< of a client that stands in; the worker's own thread has another
  client* serves = nullptr;             ///< who stands in for the thread; null: the thread itself is here

  /// Brings a thread of the host to this place of an arena: a task of the host. README-arena.md.
  struct summons : entry {
    explicit summons(worker& place) noexcept;
    static fiber* come(entry* self) noexcept;
    worker& place;
    queued turn;
  } summons_here{*this};
  std::atomic<bool> leaves{false};  ///< the thread that is in this place of an arena has to go back
  const worker* visitor = nullptr;  ///< the host's worker whose thread that is
  const worker* around = nullptr;   ///< the place that the thread here has come from; null: it is no other worker's
  bool lies_down = false;           ///< that thread has lain down for the worker, and is about to open the place
  /// Where the worker's own thread is while the worker sleeps: at home, or in an arena of low priority.
  enum class errand : std::uint8_t { none, runs, called };
  std::atomic<errand> on_errand{errand::none};
  std::atomic<priority> away_for{priority::normal};  ///< that of the arena where its thread is; a hint

  std::atomic<const void*> thread{nullptr};  ///< the worker's own, once it has begun; see tied.hpp
  run_queue returns;                         ///< tasks that go on on that thread and nowhere else

  worker_counts& counts;  ///< in the engine's counter_page

  /// Switches to `to`, with the thread's exceptions, sanitizers and lane pointer. Returns when a fiber is left for the
  /// loop.
  void enter(fiber* to) noexcept;

 private:
  fiber* begin(entry* job) noexcept;
  bool sent_home(fiber* next) noexcept;
  /// The lane's spare stacks. Where tasks are tied the lane itself shows none: then the short way of a work-first run()
  /// is closed, which would let another thread go on with the parent.
  fiber*& spares(lane& of) noexcept;
  sched::item claim(entry* taken) noexcept;
  /// Puts into the queue the rests of others, with their entries, from below those of a task that gives way.
  void set_apart(queued& turn) noexcept;
  /// Pushes again the entries that a task that gave way had taken along.
  void take_up(queued& turn) noexcept;
  fiber* materialize(sched::item what) noexcept;

  void* context_ = nullptr;  // the loop's, while a fiber runs
  afterwards then_ = nullptr;
  fiber* left_ = nullptr;
  void* argument_ = nullptr;
  sched::item next_;
  std::uint64_t seed_;
  fiber* reserve_ = nullptr;
  unsigned ended_ = 0;  // fibers that have ended here
  fiber* hidden_spares_[2] = {};
  own_mapping slots_;
};

/// Returns the worker that this thread is; null on other threads. Opaque to the optimiser, because a fiber may change
/// threads.
worker* this_worker() noexcept;

/// Lets the calling task's worker run what waits before the task goes on. `rests`: also what waits until a worker has
/// nothing else; then the task goes on after about a millisecond. False: the caller is no task, or one that
/// cannot leave its stack.
bool stand_aside(bool rests = false) noexcept;
/// Returns the running task's fiber; on a thread that is no worker, an address that is the thread's own.
const void* running() noexcept;
/// Returns what the scheduler knows of the running task; null if it knows nothing of it, and on other threads.
sched::upper_task* running_upper_task() noexcept;
void set_this_worker(worker* self) noexcept;
/// Counts from now on there what has to go on on the calling thread and nowhere else: its ties, and in tied runtimes
/// the tasks that it has left. Null: nowhere. Returns what there was before.
int* count_ties_into(int* now) noexcept;
int* counts_ties_into() noexcept;
void set_this_lane(lane* to) noexcept;

}  // namespace jackdaw::detail
