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

/// The counters of all workers of a runtime: all of them count, or none does. A profile in which some workers' tasks
/// have readings and others have not would be worse than none, so the first failure, whenever it comes, ends the
/// counting for every worker, and whoever asks falls back on another source.
class worker_counters {
 public:
  /// For workers 0 to `workers` - 1. `kernel` outlives this.
  worker_counters(unsigned workers, counter_events what, perf_calls& kernel = this_kernel());

  /// Starts the counters of `worker`, whose thread calls this, once. Returns good().
  bool open(unsigned worker) noexcept;

  /// What `worker` has done since it called open(); none as soon as any worker's counters have failed, and before it
  /// has called it. For that worker's thread.
  std::optional<counter_reading> read(unsigned worker) noexcept;

  /// Whether nothing has failed so far. For any thread.
  bool good() const { return !failed.load(std::memory_order_acquire); }

  /// The first failure, with the worker it happened to in its text. For any thread.
  std::optional<counter_failure> failure() const;

  const counter_events& events() const { return counted; }

 private:
  struct alignas(64) slot {
    std::optional<thread_counters> counters;
  };

  void fail(unsigned worker, counter_failure why) noexcept;

  counter_events counted;
  perf_calls* calls;
  std::vector<slot> slots;  // each used by its worker alone
  std::atomic<bool> failed = false;
  mutable std::mutex mutex;  // for `first`
  std::optional<counter_failure> first;
};

}  // namespace jackdaw::profile
