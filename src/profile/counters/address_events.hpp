#pragma once

#include <linux/perf_event.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "machine/cgroup.hpp"
#include "profile/counters/counter_failure.hpp"
#include "profile/counters/perf_calls.hpp"

namespace jackdaw::profile {

/// What the processor samples so that each sample has the address of data that came from memory.
struct address_event {
  std::string name;              ///< for people
  perf_event_attr attributes{};  ///< sample_type: PERF_SAMPLE_ADDR, PERIOD, and DATA_SRC where not all came from memory
};

/// Samples a second, of each thread: an interrupt of 2 to 4 us each, which is assumed and not measured, takes up to
/// 1.6% of the thread's time, in the one iteration that is watched. `perf record` takes as many by default.
constexpr std::uint64_t samples_a_second = 4000;

/// Intel's event of loads that missed the last cache, on processors whose PEBS tells addresses with it.
struct missed_loads {
  std::string_view pmu, name;  ///< libpfm4's
};
std::span<const missed_loads> known_missed_loads();

/// The event of this computer: AMD's IBS, or Intel's PEBS with libpfm4's code. `read` reads /sys and /proc. Where the
/// kernel shows neither, or refuses PEBS, this takes microseconds; libpfm4, which takes ms, is asked after that.
/// Whether the event opens is found out by opening it. May be called by any thread.
std::variant<address_event, counter_failure> find_address_event(const file_reader& read = read_text_file,
                                                                perf_calls& kernel = this_kernel());

/// What the refusal `code` to open such an event means; as explain_refusal().
counter_failure explain_sampling_refusal(const perf_event_attr& event, int code, std::optional<int> paranoid);

/// What it means that the kernel has opened it, and refuses to map its buffer of so many bytes.
counter_failure explain_buffer_refusal(int code, std::size_t bytes);

}  // namespace jackdaw::profile
