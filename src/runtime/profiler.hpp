#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "profile/counters/perf_calls.hpp"
#include "profile/counters/worker_counters.hpp"
#include "runtime/recent_accesses.hpp"
#include "runtime/recording.hpp"
#include "runtime/tally.hpp"
#include "sched/work_counter.hpp"

namespace jackdaw::detail {

/// While a scheduler wants to know, counts what workers miss and retire, and from which memory lines came, by the
/// processor's counters. If these are refused to any worker, it counts the lines of declared accesses instead, except
/// those that the core must have in its cache, and the ns that workers work. Work that takes a page fault is not timed:
/// the time is the operating system's, and would make a first touch of memory look like much work on little data.
class profiler {
 public:
  /// `caches`: bytes of the private cache of each worker's core; 0: not known. `pinned`: workers run where the machine
  /// says, so that the processor means the same memory by local and remote. `kernel` outlives this.
  profiler(const std::vector<std::uint64_t>& caches, bool pinned, profile::perf_calls& kernel)
      : seats_(caches.begin(), caches.end()), pinned_(pinned), kernel_(&kernel) {}
  ~profiler();
  profiler(const profiler&) = delete;
  profiler& operator=(const profiler&) = delete;

  /// Begins or ends counting, on the thread of worker `self`. Returns what is counted from now on, or was. If the
  /// answer at the end differs from that at the beginning, counters were refused midway and the counts are worthless.
  sched::evidence listen(std::uint32_t self, bool on);

  /// Publishes what worker `self`, the calling thread, has done since the last read() or resume().
  void read(std::uint32_t self);
  /// Called when worker `self`, the calling thread, has something to do again.
  void resume(std::uint32_t self);
  /// Returns the counts as last read; declared accesses up to now.
  sched::counts last(std::uint32_t worker) const noexcept;
  /// Whether last() has the lines that came from local and from remote memory; if not, they are 0.
  bool counts_memory() const noexcept;
  /// Whether a profile is under way; may be a moment late.
  bool listening() const noexcept { return listening_.load(std::memory_order_relaxed); }
  /// Counts an access that the task of worker `self`, the calling thread, has declared.
  void declare(std::uint32_t self, const declared_access& what) noexcept;

 private:
  /// Used by its worker alone, except the tallies, which any thread reads.
  struct alignas(64) seat {
    explicit seat(std::uint64_t cache) : recent(cache) {}

    bool opened = false;
    tally misses, instructions, local, remote;
    recent_accesses recent;        // in the profile that is under way
    std::uint32_t recent_of = 0;   // generation of that profile
    tally declared;                // lines that were not in `recent`
    tally worked;                  // ns
    std::uint32_t generation = 0;  // of the profile that the fields below belong to
    std::uint64_t since = 0;       // ns
    std::uint64_t asked = 0;       // when `faults` was read, ns
    long faults = 0;               // page faults
  };

  /// Whether the counters of worker `self`, the calling thread, count; opens them the first time.
  bool counts(std::uint32_t self);
  void time(seat& mine, bool working);
  void look_for_counters();

  std::vector<seat> seats_;
  const bool pinned_;
  profile::perf_calls* kernel_;
  std::unique_ptr<profile::worker_counters> counters_;  // null if the processor has no useful ones
  bool looked_ = false;                                 // for counters
  bool by_counters_ = false;                            // whether the current or last profile uses them
  std::atomic<bool> listening_{false};
  std::atomic<std::uint32_t> generation_{0};  // of profiles
};

}  // namespace jackdaw::detail
