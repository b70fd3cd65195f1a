#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "jackdaw/detail/lane.hpp"
#include "runtime/mailbox.hpp"
#include "runtime/shares.hpp"
#include "runtime/tally.hpp"
#include "sched/task_runner.hpp"
#include "sched/vigil.hpp"

namespace jackdaw::detail {

class threads;

/// Items of the scheduler's interface are entries not yet started (bit 0 set) or suspended fibers.
inline sched::item item_of(entry* beginning) noexcept {
  return sched::item(reinterpret_cast<std::uintptr_t>(beginning) | 1);
}
inline sched::item item_of(fiber* suspended) noexcept {
  return sched::item(reinterpret_cast<std::uintptr_t>(suspended));
}

/// A thread that runs tasks: its lanes, and the loop on its own stack from which it enters fibers and to which they
/// leave.
class alignas(64) worker {
 public:
  worker(threads& home, std::uint32_t id);
  ~worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  /// Runs until the runtime stops. On the worker's own thread.
  void loop();

  /// What the loop does once a fiber is off its stack. Returns the fiber to enter next, if it has one.
  using afterwards = fiber* (*)(worker&, fiber* left, void* argument) noexcept;

  /// Leaves the running fiber for the loop; returns when the fiber is entered again, perhaps by another worker.
  void leave(afterwards then, void* argument) noexcept;
  /// Leaves it to wait for something: its parent, if it is still exposed, must be able to go on without it.
  void suspend(afterwards then, void* argument) noexcept;
  /// Leaves it for good.
  [[noreturn]] void finish(fiber* next) noexcept;

  /// The running fiber begins a task that the scheduler may know (`upper` is not null).
  void adopt(sched::upper_task* upper, bool searching) noexcept;

  /// Pushes the rest of a fiber that is off its stack, for anyone to take.
  void expose(fiber* rest) noexcept;
  /// Pushes what must stay in the active deque, full or not: a fiber's rest, or an entry that was there a moment ago.
  void keep(entry* what) noexcept;
  /// Whoever pushes here next looks up: into the mailbox, and at gives_way. By any thread; release: what it is to see.
  void summon() noexcept;
  /// Leaves the running task, which goes on when it is its turn, to another root.
  void give_way() noexcept;
  /// Runs `next` as soon as the loop is reached, before asking the scheduler.
  void set_next(sched::item next) noexcept { next_ = next; }

  sched::item pop(lane& from) noexcept;
  sched::item steal(lane& from, bool by_force) noexcept;

  /// In the child of a fork() by a task of this worker, the calling thread: there are no other workers, and this one
  /// has no loop to go back to. What the task and its callers fork from now on runs in place.
  /// src/runtime/README-life.md.
  void strand() noexcept;
  /// Ends the process if this worker is stranded: one of its tasks has come to its end.
  void check_process() const noexcept;

  /// Makes sure that active->spare is not null; false if there is no stack to be had.
  bool refill() noexcept;
  /// Gives spare stacks to the pool that all share, but for `kept` of each lane.
  void shed(std::size_t kept = most_spares) noexcept;
  static constexpr std::size_t most_spares = 64;  ///< of each lane, as often as shed() is called
  /// Whether the running task is on the reserve, for want of any other stack: all that it forks runs in place, so that
  /// it never leaves its stack before it has ended.
  bool in_place() const noexcept { return active->current == reserve_; }

  /// Neither of its deques has an entry.
  bool has_nothing() const noexcept { return lanes[0].deque.seems_empty() && lanes[1].deque.seems_empty(); }

  std::uint32_t random(std::uint32_t below) noexcept;

  threads& home;
  const std::uint32_t id;
  lane lanes[2];
  lane* active = &lanes[0];  ///< where forks of the lower tier go
  basic_mailbox<hardware> mailbox;
  std::vector<sched::pool_id> pools;   ///< whose home this is; fixed once the scheduler has started
  bool stranded = false;               ///< see strand()
  bool forcing = false;                ///< this look for work takes private entries too
  sched::vigil waits;                  ///< for what others have and it has not
  std::atomic<bool> gives_way{false};  ///< at its next fork the running task lets another root have a turn
  bool takes_turn = false;             ///< it has: that root comes next
  shares time;                         ///< whose turn it is
  tally rests_exposed;  ///< suspended tasks that it has put into its deques; and that it has taken out of any
  tally rests_taken;
  enum class doing : std::uint8_t { running, searching, asleep };
  std::atomic<doing> state{doing::searching};
  std::atomic<std::uint32_t> parked{0};  ///< the futex: 1 while the worker is not to run

  struct {
    tally steals_local, steals_remote, failed_steals, forced_steals, migrations, suspensions, sleeps, in_place, rescues,
        turns;
  } counts;

  /// Runs the calling thread's exceptions, sanitizers and lane pointer over to `to`, or back to the loop.
  void enter(fiber* to) noexcept;

 private:
  fiber* begin(entry* job) noexcept;
  sched::item claim(entry* taken) noexcept;
  /// Puts into the queue what lies, with rests of others, below what a task that gives way has exposed.
  void set_apart(queued& turn) noexcept;
  /// Exposes again what a task that gave way had exposed.
  void take_up(queued& turn) noexcept;
  fiber* materialize(sched::item what) noexcept;

  void* context_ = nullptr;  // of the loop, while a fiber runs
  afterwards then_ = nullptr;
  fiber* left_ = nullptr;
  void* argument_ = nullptr;
  sched::item next_;
  std::uint64_t seed_;
  fiber* reserve_ = nullptr;
  unsigned ended_ = 0;  // fibers, here
  std::atomic<entry*>* slots_ = nullptr;
};

/// The worker that this thread is; null on other threads. Opaque to the optimiser: a fiber may change threads.
worker* this_worker() noexcept;
/// The running task's fiber; on other threads an address that is the thread's own.
const void* running() noexcept;
/// What the running task is to the scheduler; null if that does not know it, and on other threads.
sched::upper_task* running_upper_task() noexcept;
void set_this_worker(worker* self) noexcept;
void set_this_lane(lane* to) noexcept;

}  // namespace jackdaw::detail
