#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "profile/counters/counter_events.hpp"
#include "profile/counters/counter_failure.hpp"
#include "profile/counters/counter_reading.hpp"
#include "profile/counters/perf_calls.hpp"

namespace jackdaw::profile {

/// Counts one thread's events in user space with one group of counters. The kernel either keeps the group on the
/// processor whenever the thread runs, or gives it up for good. In a child of fork() the counters still count the
/// parent's thread.
class thread_counters {
 public:
  /// Starts counting the calling thread's events. `kernel` outlives the result.
  static std::variant<thread_counters, counter_failure> open(const counter_events& events,
                                                             perf_calls& kernel = this_kernel());

  thread_counters(thread_counters&& other) noexcept;
  thread_counters& operator=(thread_counters&& other) noexcept;
  thread_counters(const thread_counters&) = delete;
  thread_counters& operator=(const thread_counters&) = delete;
  ~thread_counters();

  /// The counts since open(), by one read(2). Fails if the kernel took the counters away for more than a hundredth of
  /// the thread's time: a task's misses in that time are unknown, and no scaling can recover them.
  std::variant<counter_reading, counter_failure> read() const;

 private:
  thread_counters(perf_calls& calls, std::size_t misses) : kernel(&calls), misses(misses) {}

  int add(const event_code& code);
  void close() noexcept;

  perf_calls* kernel;
  std::size_t misses;            // events; then come instructions, and memory's two if they are counted
  std::vector<int> descriptors;  // the leader's first, in the order of the values of a reading
};

/// Whether the kernel counts the calling thread's instructions; if not, it counts nothing else either. This check takes
/// microseconds, while libpfm4 takes some ms to find the processor's events.
bool counts_instructions(perf_calls& kernel = this_kernel());

/// The events that count on this computer, or why none does; both if events are known but do not open.
struct counter_survey {
  std::optional<counter_events> events;
  std::optional<counter_failure> failure;
};

/// Opens the calling thread's counters and reads them, to see whether that works. If it fails with memory's counters,
/// tries without them.
counter_survey survey_counters(perf_calls& kernel = this_kernel());

}  // namespace jackdaw::profile
