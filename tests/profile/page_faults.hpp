#pragma once

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/mman.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <variant>

#include "profile/counters/address_events.hpp"
#include "profile/hotness/thread_samples.hpp"

namespace jackdaw::test {

/// An event whose samples have addresses on any computer, a virtual one without counters included: each page fault.
inline std::variant<profile::address_event, profile::counter_failure> page_faults() {
  profile::address_event event{.name = "page faults", .attributes = {}};
  event.attributes.size = sizeof event.attributes;
  event.attributes.type = PERF_TYPE_SOFTWARE;
  event.attributes.config = PERF_COUNT_SW_PAGE_FAULTS;
  event.attributes.sample_period = 1;
  event.attributes.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD;
  event.attributes.exclude_kernel = 1;
  return event;
}

inline profile::thread_samples samples_of_page_faults() { return profile::thread_samples(page_faults); }

/// False if the kernel refuses them or has none. A request that it does not understand is a bug, and a failure.
inline bool page_faults_can_be_sampled() {
  using reason = profile::counter_failure::reason;
  const auto found = profile::survey_address_samples(page_faults);
  const auto* const failure = std::get_if<profile::counter_failure>(&found);
  if (failure == nullptr) return true;
  EXPECT_TRUE(failure->why == reason::not_permitted || failure->why == reason::absent) << failure->what;
  return false;
}

/// A fault for each of these pages, whether there have been some before or not.
inline void fault(std::byte* first, std::size_t pages, std::size_t page) {
  madvise(first, pages * page, MADV_DONTNEED);
  for (std::size_t i = 0; i < pages; ++i) *static_cast<volatile std::byte*>(first + i * page) = std::byte{1};
}

/// Buffers of samples that this process has mapped.
inline std::size_t perf_mappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find("[perf_event]") == line.npos ? 0 : 1;
  return count;
}

}  // namespace jackdaw::test
