#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "profile/counters/address_events.hpp"
#include "profile/counters/counter_failure.hpp"
#include "profile/counters/perf_calls.hpp"
#include "profile/hotness/address_sampler.hpp"

namespace jackdaw::profile {

/// A function that finds the event to sample.
using address_event_finder = std::function<std::variant<address_event, counter_failure>()>;
inline std::variant<address_event, counter_failure> this_computers_address_event() { return find_address_event(); }

/// Samples the accesses of several threads, all of them or none, because areas that only unsampled threads use would
/// look cold. Only one thread at a time may use this.
class thread_samples {
 public:
  /// `kernel` outlives this. `find` is called once, when samples are first requested.
  explicit thread_samples(address_event_finder find = this_computers_address_event, perf_calls& kernel = this_kernel())
      : find_(std::move(find)), kernel_(&kernel) {}

  /// Samples these threads, given by kernel thread ids, from now on. Does nothing for an empty list, and nothing once
  /// it has failed, because what the computer refuses once it will refuse later.
  void open(std::span<const pid_t> threads);
  bool opened() const noexcept { return !samplers_.empty(); }
  /// The samples since the last call; valid until the next one.
  std::span<const address_sample> drain();
  void close() noexcept { samplers_.clear(); }

  /// Samples since open() for which there was no room.
  std::uint64_t lost() const noexcept;
  const std::optional<counter_failure>& failure() const noexcept { return failure_; }

 private:
  address_event_finder find_;
  perf_calls* kernel_;
  std::optional<address_event> event_;
  std::optional<counter_failure> failure_;
  std::vector<address_sampler> samplers_;
  std::vector<address_sample> drained_;
};

/// The name of the event whose samples have addresses here, or why there is none; tried on the calling thread.
std::variant<std::string, counter_failure> survey_address_samples(
    const address_event_finder& find = this_computers_address_event, perf_calls& kernel = this_kernel());

}  // namespace jackdaw::profile
