#pragma once

#include <cstdint>

#include "sched/task_runner.hpp"

namespace jackdaw::sched {

/// What a worker has done so far, as far as work_counter::profile lets it be counted; differences of two readings
/// count.
struct counts {
  std::uint64_t misses = 0;        ///< lines of 64 bytes that its last private cache did not have
  std::uint64_t instructions = 0;  ///< retired
  std::uint64_t local = 0;         ///< lines that came from memory nodes of its own squad, of whatever kind
  std::uint64_t remote = 0;        ///< lines that came from other memory nodes

  friend constexpr counts operator-(const counts& a, const counts& b) noexcept {
    return {a.misses - b.misses, a.instructions - b.instructions, a.local - b.local, a.remote - b.remote};
  }
  friend constexpr counts operator+(const counts& a, const counts& b) noexcept {
    return {a.misses + b.misses, a.instructions + b.instructions, a.local + b.local, a.remote + b.remote};
  }
};

/// Where counts come from.
enum class evidence : std::uint8_t {
  counters,    ///< of the processor
  declared,    ///< lines of declared accesses; instead of instructions, ns of work without page faults
  simulation,  ///< of the simulated cores; two instructions for each ns of computing
  data_size,   ///< nothing was counted, and each task is taken to use its part of the data size that the user gave
};

/// What a scheduler may ask about the work that has been done. No call blocks; `self` is the worker that calls.
class work_counter {
 public:
  virtual ~work_counter() = default;

  /// Begins or ends counting what the workers do. The answer is what is counted, or was; another one at the end than at
  /// the beginning: the counts are worth nothing, and next time it will be that.
  virtual evidence profile(worker_id self, bool on) = 0;
  /// That worker's counts: up to now if that worker asks, else up to when it last had nothing to do.
  virtual counts counts_of(worker_id who) = 0;
  /// The scheduler's profile rests on this evidence; it is what the user is told of (jackdaw::profile_source).
  virtual void rely_on(evidence) noexcept {}
};

}  // namespace jackdaw::sched
