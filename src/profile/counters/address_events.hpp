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

/// An event whose samples carry the addresses of data that came from memory.
struct address_event {
  std::string name;              ///< for reports
  perf_event_attr attributes{};  ///< sample_type: PERF_SAMPLE_ADDR, PERIOD; DATA_SRC if some did not come from memory
};

/// Samples per second and thread. At an assumed, not measured, 2 to 4 us per interrupt, sampling takes up to 1.6% of a
/// thread's time in the one iteration that is watched. `perf record` has the same default.
constexpr std::uint64_t samples_a_second = 4000;

/// Intel's event of loads that missed the last cache, on processors whose PEBS records their addresses.
struct missed_loads {
  std::string_view pmu, name;  ///< libpfm4's
};
std::span<const missed_loads> known_missed_loads();

/// The event of this computer: AMD's IBS, or Intel's PEBS with libpfm4's code. `read` reads /sys and /proc. If the
/// kernel shows neither, or refuses PEBS, this takes microseconds; libpfm4, which takes ms, is asked only after that.
/// Only opening the event shows whether it opens. May be called by any thread.
std::variant<address_event, counter_failure> find_address_event(const file_reader& read = read_text_file,
                                                                perf_calls& kernel = this_kernel());

/// Explains the refusal `code` to open such an event, like explain_refusal().
counter_failure explain_sampling_refusal(const perf_event_attr& event, int code, std::optional<int> paranoid);

/// Explains why the kernel opened the event but refuses to map its buffer of this many bytes.
counter_failure explain_buffer_refusal(int code, std::size_t bytes);

}  // namespace jackdaw::profile
