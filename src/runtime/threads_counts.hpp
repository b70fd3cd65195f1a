#pragma once

#include <atomic>
#include <cstdint>

#include "jackdaw/profile_source.hpp"
#include "sched/work_counter.hpp"

namespace jackdaw::detail {

class profiler;
class threads;
class threads_data;

/// The work_counter of `threads`: what its workers missed and retired, as the profiler counts it, and which memory
/// lines came from. If no counter says the latter, declared accesses do.
class threads_counts final : public sched::work_counter {
 public:
  /// All arguments outlive it.
  threads_counts(const threads& home, profiler& by, threads_data& data) noexcept
      : home_(home), profiler_(by), data_(data) {}

  sched::evidence profile(sched::worker_id self, bool on) override;
  sched::counts counts_of(sched::worker_id who) override;
  bool sees_memory() const noexcept override;
  void rely_on(sched::evidence on) noexcept override;

  /// Returns what the scheduler's last profile relies on. May be called by any thread.
  profile_source profiled_by() const noexcept { return profiled_by_.load(std::memory_order_relaxed); }

 private:
  const threads& home_;
  profiler& profiler_;
  threads_data& data_;
  std::atomic<profile_source> profiled_by_{profile_source::none};
};

}  // namespace jackdaw::detail
