#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sched/engine.hpp"
#include "sched/settings.hpp"
#include "sched/upper_task.hpp"

namespace jackdaw::sched {

enum class tier : std::uint8_t { upper, lower };

/// Where a runnable task goes.
struct destination {
  enum class how : std::uint8_t {
    here,     ///< the worker that asks runs it now
    mailbox,  ///< into the mailbox of `worker`
    pool,     ///< into `pool`, at `end`
    anyone,   ///< roots only: the task waits for the first worker that asks (task_runner::next_root)
  };
  how where = how::here;
  worker_id worker = 0;
  pool_id pool = 0;
  pool_end end = pool_end::back;
  std::uint64_t order = 0;  ///< for pool_end::in_order
  tier as = tier::lower;
};

/// Decides where tasks run. The engine reports every event of the upper tier to it and asks it what an idle worker does
/// next. A scheduler never hears of forks and joins in the lower tier, and must not depend on which engine it is in.
///
/// A placement is a wish. When an idle worker has seen for patience() that something waits and idle() does not return
/// it, the engine lets the worker take it, wherever it was put. So a task may start or resume on another worker than
/// the scheduler chose; resume() tells on which.
///
/// Threads: calls that name a worker are made by that worker, except may_take(); root() is called by any thread.
///
/// start(), root(), open() and fork() may throw std::bad_alloc, and std::length_error where more is nested than the
/// scheduler can count; the group or task then counts as never created. The other calls report what has already
/// happened and must not throw: a scheduler that cannot record it does without.
class scheduler {
 public:
  virtual ~scheduler() = default;
  virtual std::string_view name() const noexcept = 0;
  /// Whether the first children of a loop go to the last workers, so that memory can be placed the same way.
  virtual bool runs_backwards() const noexcept { return false; }
  /// Whether its squads are the workers of one last-level cache (task_runner::cache_squads) or of one socket.
  virtual bool has_cache_squads() const noexcept { return false; }

  /// Whether it counts what workers' threads do, or tells them where to touch memory first. Then no other thread may
  /// stand in for a worker's own. Asked after start().
  virtual bool needs_own_threads() const noexcept { return false; }

  /// Called once, before any worker asks. `on` itself ends with the call; what it refers to lives until the last call.
  virtual void start(const engine& on) = 0;

  /// A task arrives from outside. The answer must not be `here`.
  virtual destination root(upper_task& task) = 0;
  /// A task that this scheduler placed starts on `self`, in either tier, or resumes there in the upper tier.
  virtual void resume(worker_id, upper_task&) {}
  /// A task of the upper tier opens a group.
  virtual void open(worker_id, upper_group&) {}
  /// Returns the part of `group.rest`, 0 to 1, that is cut off for the next child. `work` is its hint; negative: none.
  /// Called before each fork(); not for children near memory.
  virtual double part_for(worker_id, upper_group& group, double work) { return group.share(work); }
  /// A task of the upper tier, or one of the lower tier if places_below() allows it, forks `child`, whose span is set.
  /// If the answer is `here`, the parent's continuation is pushed to the local deque and is in the lower tier until the
  /// group has ended.
  virtual destination fork(worker_id, upper_group&, upper_task& /*child*/) { return {}; }
  /// Whether fork() still places an inter-socket child of this group of the upper tier after the group's task dropped
  /// to the lower tier; otherwise the child is forked like any other of the lower tier. Called by the worker that runs
  /// the group's task.
  virtual bool places_below(const upper_group&) const noexcept { return false; }
  /// The task has forked all children of the group and waits, in the tier that it is in by then.
  virtual void wait(worker_id, upper_group&, tier) {}
  /// All children of the group have ended; `self` is the worker that noticed. Returns where the waiting task resumes.
  virtual destination close(worker_id, upper_group&) { return {}; }
  /// A task that this scheduler placed has ended on `self`.
  virtual void end(worker_id, upper_task&) {}
  /// Whether an idle `self` takes what is in this guarded pool. Any worker asks this about sleepers, and `self` asks it
  /// before it sleeps. When the answer becomes true for a worker that may sleep, task_runner::wake must follow.
  virtual bool may_take(worker_id /*self*/, pool_id) const noexcept { return true; }
  /// Whether the task, which has been placed, is the top of a subtree that one squad runs alone. For logs.
  virtual bool tops_subtree(const upper_task&) const noexcept { return false; }
  /// Returns something for the idle `self` to run, or nothing for now. Must look at everything that `self` may run.
  virtual item idle(worker_id self) = 0;
  /// How long, in ns, an idle worker leaves tasks that were placed with other workers to these. It waits twice as long
  /// for what lies in deques from which it would not steal.
  virtual double patience() const noexcept { return usual_patience; }
  /// `self` has taken something after that time and starts it next.
  virtual void rescued(worker_id /*self*/) {}

  // Values of patience():
  /// About the time that it takes to wake a sleeper: a worker that is woken for a task should usually get it.
  static constexpr double usual_patience = 50'000;
  /// For schedulers that place tasks, while there is one root: a worker that the system has preempted for a time slice
  /// should still find the tasks that were placed with it, because their data are near it.
  static constexpr double long_patience = 200'000'000;
  /// While what a worker leaves to others is needed to learn something.
  static constexpr double longest_patience = 2 * long_patience;
};

/// The scheduler of a runtime that names none.
inline constexpr std::string_view default_scheduler = "auto";
/// Makes the scheduler called `name`; null if there is none. "cab:3" is "cab" with boundary level 3, "laws:-2" is
/// "laws" with subtrees two levels above the first packing, "constrained:relws=2" has two iterations of RelWS.
std::unique_ptr<scheduler> make_scheduler(std::string_view name, const settings& given = {});
/// The names that lists show.
std::vector<std::string> names();
/// These, then the forms of all others that make_scheduler knows: "cab:LEVEL".
std::vector<std::string> accepted_names();

}  // namespace jackdaw::sched
