#pragma once

#include <functional>
#include <vector>

/// What the words cost that workers share: deques, locks, and the futexes of sleepers. Each measurement runs on threads
/// of its own, one pinned to each CPU that it names; no CPU may be named twice. Times are in ns.
namespace jackdaw::probe {

/// The median of what `timed` takes on a CPU, each time after `prepare` on another one, so that what `prepare` has
/// written is in the other CPU's cache.
double time_after_other(unsigned other, const std::function<void()>& prepare, unsigned os_cpu,
                        const std::function<void()>& timed, unsigned times = 2000);

/// A thief's attempts at the deque of an owner on another CPU.
struct steal_times {
  double steal = 0;       ///< of the only entry, which the owner has just made public
  double look = 0;        ///< at a deque that the owner has emptied since the last look
  double look_again = 0;  ///< at an empty deque that has not changed since the last look
};
steal_times time_steals(unsigned owner, unsigned thief);

/// From one steal to the next while a thief on each CPU steals from one deque until it is empty. A thief that finds the
/// deque locked tries again.
double time_between_steals(const std::vector<unsigned>& thieves);

/// From one call of `once` to the next while a thread on each CPU calls it `times` times.
double time_between_calls(const std::vector<unsigned>& os_cpus, unsigned times, const std::function<void()>& once);

/// Waking a sleeper on each of some CPUs, one after another: medians, in the order of the calls.
struct wake_times {
  std::vector<double> call;  ///< of the waker, for this sleeper
  std::vector<double> runs;  ///< from the beginning of the first call until this sleeper runs
};
wake_times time_wakes(unsigned waker, const std::vector<unsigned>& sleepers, unsigned times);

}  // namespace jackdaw::probe
