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

/// Counts what workers miss and retire, and from whose memory lines came, while a scheduler wants to know: by the
/// processor's counters, or, where those are refused to any worker, by the accesses that tasks declare, but for lines
/// that the core must have in its cache, and the ns that they work. What takes a page fault is not timed: the time is
/// the operating system's, and would make what first touches memory look like much work on little data.
class profiler {
 public:
  /// Of workers whose cores have private caches of so many bytes; 0: not known. `pinned`: they run where the machine
  /// says, so that the processor means the same memory by local and remote. `kernel` outlives this.
  profiler(const std::vector<std::uint64_t>& caches, bool pinned, profile::perf_calls& kernel)
      : seats_(caches.begin(), caches.end()), pinned_(pinned), kernel_(&kernel) {}
  ~profiler();
  profiler(const profiler&) = delete;
  profiler& operator=(const profiler&) = delete;

  /// Begins or ends counting, on the thread of worker `self`. What is counted from now on, or was: another answer at
  /// the end than at the beginning says that counters were refused half-way and that the counts are worth nothing.
  sched::evidence listen(std::uint32_t self, bool on);

  /// Publishes what the calling thread, which is that worker, has done since it was read or resumed.
  void read(std::uint32_t self);
  /// That worker, the calling thread, has something to do again.
  void resume(std::uint32_t self);
  /// As last read; declared accesses up to now.
  sched::counts last(std::uint32_t worker) const noexcept;
  /// Whether that has the lines that came from local and from remote memory; if not, they are 0.
  bool counts_memory() const noexcept;
  /// Whether somebody wants to know; a moment late.
  bool listening() const noexcept { return listening_.load(std::memory_order_relaxed); }
  /// The task of worker `self`, which is the calling thread, has declared that.
  void declare(std::uint32_t self, const declared_access& what) noexcept;

 private:
  /// Used by its worker alone, but for the tallies, which anyone reads.
  struct alignas(64) seat {
    explicit seat(std::uint64_t cache) : recent(cache) {}

    bool opened = false;
    tally misses, instructions, local, remote;
    recent_accesses recent;        // of the profile that is under way
    std::uint32_t recent_of = 0;   // its generation
    tally declared;                // lines that were not in there
    tally worked;                  // ns
    std::uint32_t generation = 0;  // of the profile that the next two are of
    std::uint64_t since = 0;       // ns
    std::uint64_t asked = 0;       // for the next, ns
    long faults = 0;               // of pages
  };

  /// Whether the counters of that worker, which the calling thread is, count; opens them the first time.
  bool counts(std::uint32_t self);
  void time(seat& mine, bool working);
  void look_for_counters();

  std::vector<seat> seats_;
  const bool pinned_;
  profile::perf_calls* kernel_;
  std::unique_ptr<profile::worker_counters> counters_;  // null if the processor has none that are of use
  bool looked_ = false;                                 // for counters
  bool by_counters_ = false;                            // what is, or was last, listened to
  std::atomic<bool> listening_{false};
  std::atomic<std::uint32_t> generation_{0};  // of profiles
};

}  // namespace jackdaw::detail
