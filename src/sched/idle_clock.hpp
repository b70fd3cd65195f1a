#pragma once

#include <atomic>

namespace jackdaw::sched {

/// For how long a worker has found nothing to do. Written by that worker and read by any; in ns.
class idle_clock {
 public:
  /// Called after each look, with a function that returns the time, at least 0.
  template <class Now>
  void looked(bool found, const Now& now) noexcept {
    const double state = state_.load(std::memory_order_relaxed);
    if (found == (state >= 0)) return;
    const double at = now() + before_all;
    state_.store(state + (found ? at : -at), std::memory_order_relaxed);
  }
  /// Returns the sum up to now.
  double idle(double now) const noexcept {
    const double state = state_.load(std::memory_order_relaxed);
    return state >= 0 ? state : state + now + before_all;
  }

 private:
  static constexpr double before_all = 1;
  /// One number, so that a reader sees no half of a change: the sum; while idle, less the time at which that began (and
  /// before_all), which is more than any sum.
  std::atomic<double> state_{0};
};

}  // namespace jackdaw::sched
