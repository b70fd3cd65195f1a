#pragma once

#include <cstdint>
#include <string_view>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Something that happens on a worker. docs/timeline.md explains the kinds.
///
/// Forks and joins of the lower tier (invoke, task_group::run) cause no event: most cost less than an event would. What
/// a worker takes from elsewhere, or resumes, does.
struct worker_event {
  /// What happens.
  enum class kind : std::uint8_t {
    start,   ///< the worker's thread starts; `value` is the kernel's number of it
    stop,    ///< it ends
    run,     ///< the worker enters `stack`: a task begins, or resumes if `resumes`
    leave,   ///< it is off the stack that it then runs on, `stack`; `reason` says why
    begin,   ///< the running task on `stack` is `task`, which the scheduler has placed; `first` to `last` is its span
    end,     ///< `task` has ended
    search,  ///< the worker has nothing to run and looks for something
    found,   ///< it has found something, or the runtime stops
    sleep,   ///< it sleeps, between `search` and `found`
    wake,    ///< it has woken
    steal,   ///< it has taken an entry from a deque of worker `other`, and runs it next
    take,    ///< it has taken something that was placed; `from` says from where
    rescue,  ///< what it took had waited too long for the worker that it was placed with
    ready,   ///< the task on `stack`, which waited, can resume: what it waited for has ended on this worker
    open,    ///< `task`, a root, opens a group: an iteration begins of the region called `name`, or at `site`
    close,   ///< the group's children have ended
    enter_region,  ///< `task` is in the region `name` from now on (jackdaw::region)
    leave_region,  ///< no longer
    decide,        ///< the scheduler has decided `name`, with `value`: docs/events.md lists the decisions
    move,          ///< the scheduler has moved `value` bytes of data to memory node `other`, by now, in `site` ns;
                   ///< moves to different sockets overlap, and are told together
  };
  /// Why a worker leaves a stack.
  enum class reason : std::uint8_t {
    ended,      ///< the task has ended
    waits,      ///< it waits for its children, for a branch, or for a root in another runtime
    makes_way,  ///< a task that was placed here runs first; this one may be stolen meanwhile
    gives_way,  ///< another root has a turn
  };
  /// Where a worker takes what was placed.
  enum class source : std::uint8_t {
    mailbox,  ///< its own mailbox
    pool,     ///< pool `other` of the scheduler
    queue,    ///< the queue of roots, and of tasks that gave way
    near,     ///< what tasks want to run near a memory node
  };

  kind what = kind::run;          ///< What happens; the other members matter to some kinds only.
  reason why = reason::ended;     ///< of leave
  source from = source::mailbox;  ///< of take
  bool resumes = false;           ///< of run
  std::uint32_t worker = 0;       ///< The worker on which it happens.
  std::uint32_t other = 0;        ///< Of steal, take and move: a worker, a pool or a node.
  std::uint64_t at = 0;           ///< ns of std::chrono::steady_clock
  std::uint64_t stack = 0;        ///< tells stacks apart; another task may use a stack once its task has ended
  std::uint64_t task = 0;         ///< tells the tasks apart that the scheduler has placed and that have not ended
  std::uint64_t parent = 0;       ///< of begin and end: the task that forked it; 0: it came from outside
  std::uint64_t site = 0;         ///< a place in the program
  std::int64_t value = 0;         ///< Of start, decide and move.
  double first = 0;               ///< Where the task's span begins, if 0 to 1 is the root's whole computation.
  double last = 0;                ///< Where it ends.
  std::string_view name;          ///< valid until the process ends
  bool is_root = false;           ///< of begin and end: the task came from outside
};

/// What is told of everything that workers do, other than forks and joins of the lower tier. Adapters to profilers
/// (examples/adapters) derive from it.
class observer {
 public:
  /// Nothing is told to it any more.
  virtual ~observer() = default;
  /// Called on the worker's own thread, so for several workers at once. Must not fork, wait, or throw; what it takes is
  /// time that the program loses. A worker's calls come in the order of their times.
  virtual void see(const worker_event& what) noexcept = 0;
};

/// Lets `by` see what happens in each runtime that starts from now on; null: nothing does. It must live until those
/// runtimes have ended, for the default runtime until the process ends. In the child of a fork() what the parent's
/// runtimes and tasks do is not observed; a runtime that the parent has not started is.
void observe(observer* by) noexcept;

}  // namespace jackdaw

JACKDAW_EXPORT_END
