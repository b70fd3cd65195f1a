#pragma once

#include <cstdint>
#include <vector>

#include "machine/model.hpp"
#include "sched/engine.hpp"

namespace jackdaw::sim {

/// How hardware threads share their core's computing. Of T threads, k that compute at once do 1 + (smt_rate - 1) *
/// (k - 1) / (T - 1) times as much as one alone, in equal parts. Times are in ns; work is the time that it takes alone.
class shared_cores {
 public:
  shared_cores(const machine_model& machine, unsigned workers)
      : threads_(machine.threads_per_core),
        gain_(machine.smt_rate - 1),
        cores_(machine.cores()),
        any_(workers > machine.cores()) {}

  /// Whether workers share cores.
  bool any() const noexcept { return any_; }
  /// A worker on that core starts to compute. The ends of the core's other workers change.
  void enter(unsigned core, sched::worker_id who, double work, double now);
  /// It has ended, and the other ones' ends change again.
  void leave(unsigned core, sched::worker_id who, double now);
  /// Calls f(worker, when it will end) for all that compute on that core, unless something changes.
  template <class F>
  void each_end(unsigned core, F&& f) const {
    const std::vector<task>& busy = cores_[core].busy;
    for (const task& each : busy) f(each.who, cores_[core].since + each.left / speed(busy.size()));
  }

 private:
  struct task {
    sched::worker_id who = 0;
    double left = 0;
  };
  struct core_state {
    std::vector<task> busy;
    double since = 0;  ///< when `left` of its tasks was true
  };

  /// The speed of each of `count` threads.
  double speed(std::size_t count) const noexcept {
    const auto k = static_cast<double>(count);
    return (1 + gain_ * (k - 1) / (threads_ - 1)) / k;
  }
  void advance(core_state& of, double now) const noexcept;

  unsigned threads_;
  double gain_;
  std::vector<core_state> cores_;
  bool any_;
};

}  // namespace jackdaw::sim
