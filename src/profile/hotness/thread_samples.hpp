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

/// How the event to sample is found.
using address_event_finder = std::function<std::variant<address_event, counter_failure>()>;
inline std::variant<address_event, counter_failure> this_computers_address_event() { return find_address_event(); }

/// Samples what several threads access: all of them, or none, for areas that only some threads use would look cold. One
/// thread at a time uses this.
class thread_samples {
 public:
  /// `kernel` outlives this. `find` is called once, when samples are wanted for the first time.
  explicit thread_samples(address_event_finder find = this_computers_address_event, perf_calls& kernel = this_kernel())
      : find_(std::move(find)), kernel_(&kernel) {}

  /// From now on, what these do, by the kernel's numbers. Nothing happens for none; nor once it has failed, since what
  /// the computer does not allow it will not allow later.
  void open(std::span<const pid_t> threads);
  bool opened() const noexcept { return !samplers_.empty(); }
  /// What has been sampled since the last call; until the next one.
  std::span<const address_sample> drain();
  void close() noexcept { samplers_.clear(); }

  /// Samples for which there was no room; since open().
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

/// The name of the event whose samples tell addresses here, or why there is none; tried on the calling thread.
std::variant<std::string, counter_failure> survey_address_samples(
    const address_event_finder& find = this_computers_address_event, perf_calls& kernel = this_kernel());

}  // namespace jackdaw::profile
