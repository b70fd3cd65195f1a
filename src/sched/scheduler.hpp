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

/// Where a task that can run goes.
struct destination {
  enum class how : std::uint8_t {
    here,     ///< the worker that asks runs it now
    mailbox,  ///< of `worker`
    pool,     ///< into `pool`, at `end`
    anyone,   ///< roots only: it waits for the first worker that asks (task_runner::next_root)
  };
  how where = how::here;
  worker_id worker = 0;
  pool_id pool = 0;
  pool_end end = pool_end::back;
  std::uint64_t order = 0;  ///< of pool_end::in_order
  tier as = tier::lower;
};

/// What decides where tasks run. An engine tells it of every event of the upper tier and asks it what an idle worker
/// does; the forks and joins of the lower tier it never hears of. It must not know which engine it is in.
///
/// A placement is a wish. When a worker has seen for patience() that something waits which it does not get by idle(),
/// the engine lets it take that, wherever it was put: so a task may start, or go on, on another worker than the
/// scheduler said, and resume() tells on which.
///
/// Threads: idle(self), and the calls that name a worker, are made by that worker; root() by any thread.
///
/// For want of memory start(), root(), open() and fork() may throw std::bad_alloc; then the group or task is as if it
/// had never been. What the other calls tell has happened already, so these do not throw: a scheduler that cannot
/// remember it does without.
class scheduler {
 public:
  virtual ~scheduler() = default;
  virtual std::string_view name() const noexcept = 0;
  /// Whether the first children of a loop go to the last workers, so that memory can be placed alike.
  virtual bool runs_backwards() const noexcept { return false; }

  /// Called once, before any worker asks. `on` itself ends with the call; what it refers to lives until the last call.
  virtual void start(const engine& on) = 0;

  /// A task arrives from outside. `here` is not an answer.
  virtual destination root(upper_task& task) = 0;
  /// A task that this scheduler placed starts on `self`, in whichever tier, or goes on there in the upper tier.
  virtual void resume(worker_id, upper_task&) {}
  /// A task of the upper tier opens a group.
  virtual void open(worker_id, upper_group&) {}
  /// A task of the upper tier, or one of the lower as places_below() says, forks `child`, whose span is set. With
  /// `here` the parent's rest is pushed to the local deque and is in the lower tier until the group has ended.
  virtual destination fork(worker_id, upper_group&, upper_task& /*child*/) { return {}; }
  /// Whether a child that the program calls an inter-socket task is placed, by fork(), in a group of the upper tier
  /// whose task is in the lower one by now; else it is forked like any other there. By the worker that runs the group's
  /// task.
  virtual bool places_below(const upper_group&) const noexcept { return false; }
  /// The task has forked all children of the group and waits, in whichever tier it is by now.
  virtual void wait(worker_id, upper_group&, tier) {}
  /// All children of the group have ended; `self` is the worker that noticed. Where does the waiting task go on?
  virtual destination close(worker_id, upper_group&) { return {}; }
  /// A task that this scheduler placed has ended on `self`.
  virtual void end(worker_id, upper_task&) {}
  /// Whether `self`, when it has nothing to do, takes what is in this guarded pool. Any worker asks this of
  /// sleepers, and `self` asks it before it sleeps. When the answer becomes true for a worker that may sleep,
  /// task_runner::wake must follow.
  virtual bool may_take(worker_id /*self*/, pool_id) const noexcept { return true; }
  /// Whether the task, which has been placed, is the top of a subtree that a squad runs by itself. For logs.
  virtual bool tops_subtree(const upper_task&) const noexcept { return false; }
  /// `self` has nothing to do: something to run, or nothing for now. Must look at all that `self` may run.
  virtual item idle(worker_id self) = 0;
  /// For how long, in ns, a worker that has nothing to do leaves to others what was placed for them and they have not
  /// come for. What lies in deques that it would not steal from it leaves for twice that.
  virtual double patience() const noexcept { return usual_patience; }
  /// `self` has taken something after that time; it starts next.
  virtual void rescued(worker_id /*self*/) {}

 protected:
  /// About what it takes to wake a sleeper: as a rule a worker that is woken for a task should not come too late.
  static constexpr double usual_patience = 50'000;
  /// For schedulers that place tasks, while there is one root: a worker that the system has taken its processor from
  /// for a time slice shall find what was placed with it, for its data are near it.
  static constexpr double long_patience = 200'000'000;
};

/// The scheduler of a runtime that names none.
inline constexpr std::string_view default_scheduler = "adws";
/// Makes the scheduler called `name`; null if there is none. "cab:3" is "cab" with boundary level 3.
std::unique_ptr<scheduler> make_scheduler(std::string_view name, const settings& given = {});
std::vector<std::string> names();

}  // namespace jackdaw::sched
