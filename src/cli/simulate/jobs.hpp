#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace jackdaw::cli {

/// Calls job(0) to job(count - 1), at most `at_once` of them at the same time, as tasks of a runtime with that many
/// workers. Rethrows the first exception.
void run_jobs(std::size_t count, unsigned at_once, const std::function<void(std::size_t)>& job);

/// Returns how many jobs of `bytes` each may run at once: one for each usable core, and no more than half of the memory
/// that is available can hold if each grows to twice its size. At least one.
unsigned jobs_within_memory(std::uint64_t bytes);
unsigned jobs_within_memory(std::uint64_t bytes, unsigned cores, std::uint64_t available);

/// Returns the available bytes that /proc/meminfo's text tells; all ones if it tells none.
std::uint64_t available_in(std::string_view meminfo);

}  // namespace jackdaw::cli
