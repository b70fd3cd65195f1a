#pragma once

#include <cstdint>

namespace jackdaw::profile {

/// A thread's counts since its counters started; the difference of two readings is the count between them.
struct counter_reading {
  std::uint64_t misses = 0;        ///< misses of the core's last private cache, in cache lines
  std::uint64_t instructions = 0;  ///< retired instructions
  std::uint64_t local = 0;         ///< lines from memory of its own socket, if counter_events::memory is counted
  std::uint64_t remote = 0;        ///< lines from other memory, likewise

  friend bool operator==(const counter_reading&, const counter_reading&) = default;
  friend counter_reading operator-(const counter_reading& later, const counter_reading& earlier) {
    return {later.misses - earlier.misses, later.instructions - earlier.instructions, later.local - earlier.local,
            later.remote - earlier.remote};
  }
};

}  // namespace jackdaw::profile
