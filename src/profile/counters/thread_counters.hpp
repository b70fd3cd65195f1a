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

/// Counts what one thread does in user space: one group of counters, which the kernel keeps on the processor whenever
/// the thread runs or gives up for good. In a child of fork() they still count the parent's thread.
class thread_counters {
 public:
  /// Starts counting what the calling thread does. `kernel` outlives the result.
  static std::variant<thread_counters, counter_failure> open(const counter_events& events,
                                                             perf_calls& kernel = this_kernel());

  thread_counters(thread_counters&& other) noexcept;
  thread_counters& operator=(thread_counters&& other) noexcept;
  thread_counters(const thread_counters&) = delete;
  thread_counters& operator=(const thread_counters&) = delete;
  ~thread_counters();

  /// What has been counted since open(), with one read(2). A failure when the kernel took the counters away for more
  /// than a hundredth of the thread's time: what a task missed then is not known, and no scaling can tell.
  std::variant<counter_reading, counter_failure> read() const;

 private:
  thread_counters(perf_calls& calls, std::size_t misses) : kernel(&calls), misses(misses) {}

  int add(const event_code& code);
  void close() noexcept;

  perf_calls* kernel;
  std::size_t misses;            // events; then come instructions, and memory's two if they are counted
  std::vector<int> descriptors;  // the leader's first, in the order in which a reading has their values
};

/// Whether the kernel counts the calling thread's instructions, without which nothing else is counted either: a look of
/// microseconds, where finding the processor's events takes libpfm4 some ms.
bool counts_instructions(perf_calls& kernel = this_kernel());

/// What counts on this computer, or why nothing does: both when events are known but do not open.
struct counter_survey {
  std::optional<counter_events> events;
  std::optional<counter_failure> failure;
};

/// Opens the calling thread's counters and reads them, to see whether that works; without those of memory if it does
/// not work with them.
counter_survey survey_counters(perf_calls& kernel = this_kernel());

}  // namespace jackdaw::profile
