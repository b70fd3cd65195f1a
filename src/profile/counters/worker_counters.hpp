#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "profile/counters/counter_events.hpp"
#include "profile/counters/counter_failure.hpp"
#include "profile/counters/counter_reading.hpp"
#include "profile/counters/perf_calls.hpp"
#include "profile/counters/thread_counters.hpp"

namespace jackdaw::profile {

/// The counters of all workers of a runtime; either all of them count or none does. A profile with readings of only
/// some workers' tasks would be worse than none, so the first failure, whenever it happens, ends the counting for every
/// worker, and the caller falls back on another source.
class worker_counters {
 public:
  /// Counters for workers 0 to `workers` - 1. `kernel` outlives this.
  worker_counters(unsigned workers, counter_events what, perf_calls& kernel = this_kernel());

  /// Starts the counters of `worker`, whose thread calls this, once. Returns good().
  bool open(unsigned worker) noexcept;

  /// The counts of `worker` since it called open(). Empty before that call, and once any worker's counters have failed.
  /// For that worker's thread.
  std::optional<counter_reading> read(unsigned worker) noexcept;

  /// Whether no counter has failed so far. For any thread.
  bool good() const { return !failed.load(std::memory_order_acquire); }

  /// The first failure, whose text names the worker. For any thread.
  std::optional<counter_failure> failure() const;

  const counter_events& events() const { return counted; }

 private:
  struct alignas(64) slot {
    std::optional<thread_counters> counters;
  };

  void fail(unsigned worker, counter_failure why) noexcept;

  counter_events counted;
  perf_calls* calls;
  std::vector<slot> slots;  // each used only by its worker
  std::atomic<bool> failed = false;
  mutable std::mutex mutex;  // for `first`
  std::optional<counter_failure> first;
};

}  // namespace jackdaw::profile
