#pragma once

#include <atomic>

namespace jackdaw::sched {

/// For how long a worker has found nothing to do. Written by that worker and read by any; in ns.
class idle_clock {
 public:
  /// Called after each look, with a function that returns the time.
  template <class Now>
  void looked(bool found, const Now& now) noexcept {
    const double since = since_.load(std::memory_order_relaxed);
    if (found == (since == busy)) return;
    const double at = now();
    if (found) idle_.store(idle_.load(std::memory_order_relaxed) + at - since, std::memory_order_relaxed);
    since_.store(found ? busy : at, std::memory_order_relaxed);
  }
  /// Returns the sum up to now.
  double idle(double now) const noexcept {
    const double since = since_.load(std::memory_order_relaxed);
    return idle_.load(std::memory_order_relaxed) + (since == busy ? 0 : now - since);
  }

 private:
  static constexpr double busy = -1;
  std::atomic<double> idle_{0}, since_{busy};
};

}  // namespace jackdaw::sched
