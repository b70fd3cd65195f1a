#pragma once

#include <cstdint>

#include "sched/task_runner.hpp"

namespace jackdaw::sched {

/// What a worker has done so far, if work_counter::profile lets it be counted. Only differences of two readings are
/// meaningful.
struct counts {
  std::uint64_t misses = 0;        ///< lines of 64 bytes that missed its last private cache
  std::uint64_t instructions = 0;  ///< retired
  std::uint64_t local = 0;         ///< lines that came from memory nodes of its own squad, of either kind
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
  simulation,  ///< of the simulated cores; instructions as they were recorded, whatever the cores
  data_size,   ///< nothing was counted; each task is assumed to use its share of the data size that the user gave
};

/// A scheduler's access to counts of the work done. No call blocks; `self` is the worker that calls.
class work_counter {
 public:
  virtual ~work_counter() = default;

  /// Begins or ends counting what the workers do. Returns what is, or was, counted. If the answer at the end differs
  /// from that at the beginning, the counts are worthless, and the next profile will use the later answer.
  virtual evidence profile(worker_id self, bool on) = 0;
  /// Returns that worker's counts: up to now if it is the caller, else up to the last time that it was idle.
  virtual counts counts_of(worker_id who) = 0;
  /// Whether `local` and `remote` are what memory nodes delivered. If not, they are the places of declared accesses,
  /// wherever these found their data.
  virtual bool sees_memory() const noexcept = 0;
  /// States the evidence behind the scheduler's profile, which jackdaw::profile_source reports to the user.
  virtual void rely_on(evidence) noexcept {}
};

}  // namespace jackdaw::sched
