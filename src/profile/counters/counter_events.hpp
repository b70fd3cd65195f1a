#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "profile/counters/counter_failure.hpp"

namespace jackdaw::profile {

/// An event in the form in which perf_event_open(2) takes it.
struct event_code {
  std::uint32_t type = 0;
  std::uint64_t config = 0, config1 = 0, config2 = 0;

  friend bool operator==(const event_code&, const event_code&) = default;
};

/// Nobody looks events up between these two, by one thread: the library that knows their names is not thread-safe, and
/// the child of a fork() shall not find its lock taken.
void keep_event_names() noexcept;
void release_event_names() noexcept;

/// Retired instructions, which the kernel knows on every processor.
event_code retired_instructions();

/// Which events of a processor are together the misses of its last private cache, the lines it takes in from what is
/// shared (LAWS, section 3.3.1): prefetched lines too, since Eq. 2 makes a subtree's footprint of them.
struct miss_events {
  static constexpr std::size_t most = 3;

  std::string_view pmu;                      ///< libpfm4's name of the processor
  std::array<std::string_view, most> names;  ///< libpfm4's names of the events, whose sum it is; the last may be empty
  std::string_view cache = "L2";             ///< that cache

  std::span<const std::string_view> used_names() const;
};

/// All that are known.
std::span<const miss_events> known_miss_events();

/// Which events of a processor count what its core got from the memory of its own socket, and from the rest (what a
/// profiling iteration of BATS counts). One number is only ever compared with the other: those of Intel leave out what
/// was prefetched, those of AMD what was prefetched no further than the L2.
struct memory_events {
  std::string_view pmu, local, remote;  ///< libpfm4's names
};

/// All that are known: of processors with known_miss_events().
std::span<const memory_events> known_memory_events();

/// Those for a computer on which libpfm4 finds these core PMUs.
std::variant<const miss_events*, counter_failure> choose_miss_events(std::span<const std::string> present_pmus);

/// The core PMUs that libpfm4 finds on this computer; the failure says why it cannot be asked.
std::variant<std::vector<std::string>, counter_failure> present_core_pmus();

/// Whether libpfm4 was built with this PMU: only those of one instruction set are.
bool knows_pmu(std::string_view pmu);

/// The code of an event for counting in user space. Without LIBPFM_ENCODE_INACTIVE=1 in the environment, only events
/// of the processor that is present have one.
std::variant<event_code, counter_failure> encode_event(std::string_view pmu, std::string_view name);

/// What a thread's counters are to count.
struct counter_events {
  std::string pmu, cache;
  std::vector<std::string> miss_names;
  std::vector<event_code> misses;  ///< the sum of which is wanted; at least one
  event_code instructions = retired_instructions();

  struct memory_codes {
    std::string local_name, remote_name;
    event_code local, remote;
  };
  std::optional<memory_codes> memory = std::nullopt;  ///< none: the processor does not tell, or not at the same time
};

/// The events for this computer, encoded by libpfm4. Whether the kernel counts them is found out by opening them.
/// No other event stands in for a processor that is not known: the kernel's generic "cache misses" are those of
/// another cache on most. May be called by any thread.
std::variant<counter_events, counter_failure> find_counter_events();

}  // namespace jackdaw::profile
