#pragma once

#include <atomic>
#include <cstdint>

#include "jackdaw/statistics.hpp"
#include "runtime/tally.hpp"

namespace jackdaw::detail {

/// What one worker has done. Its worker alone writes it. Other threads read it, and so do other processes, which see
/// it in a counter_page: a change here needs a new counter_page::version. Times are CLOCK_MONOTONIC in ns.
struct alignas(64) worker_counts {
  enum class doing : std::uint64_t { running, searching, asleep };

  tally steals_core, steals_cache, steals_package, steals_remote;  // by where the victim is
  tally failed_local, failed_remote;
  tally forced_steals, migrations, suspensions, sleeps, in_place, rescues, turns;
  tally tasks, roots, at_home, away;
  // Of what has ended; the rest is `now` and `since`. Stored with release, so that a reader that sees one of the three
  // as turn_to() leaves it also sees that `since` was 0.
  std::atomic<std::uint64_t> search_ns{0}, sleep_ns{0};
  tally local_bytes, remote_bytes, moved_bytes;
  std::atomic<std::uint64_t> now{0};    // what it is doing, as a number of `doing`
  std::atomic<std::uint64_t> since{0};  // since when; 0 while turn_to() changes this, `now` and the two times

  std::uint64_t steals() const noexcept {
    return steals_core.get() + steals_cache.get() + steals_package.get() + steals_remote.get();
  }
  /// Ends what the worker was doing at that moment, and begins something else.
  void turn_to(doing next, std::uint64_t at) noexcept {
    const std::uint64_t took = at - since.load(std::memory_order_relaxed);
    const auto was = static_cast<doing>(now.load(std::memory_order_relaxed));
    since.store(0, std::memory_order_relaxed);
    if (was != doing::running) {
      std::atomic<std::uint64_t>& sum = was == doing::searching ? search_ns : sleep_ns;
      sum.store(sum.load(std::memory_order_relaxed) + took, std::memory_order_release);
    }
    now.store(static_cast<std::uint64_t>(next), std::memory_order_release);
    since.store(at, std::memory_order_release);  // whoever sees this sees the times
  }
  /// Returns the counts at that moment. Waits for a turn_to() that is under way, but not for a worker that was
  /// interrupted in it: then a time is off by what lasts.
  statistics read(std::uint64_t at) const noexcept;
};

/// Copy counts that several threads write and read, each count by itself.
void store_counts(statistics& to, const statistics& from) noexcept;
statistics load_counts(const statistics& from) noexcept;

/// Returns the time on the clock that worker_counts use.
std::uint64_t counting_clock() noexcept;

}  // namespace jackdaw::detail
