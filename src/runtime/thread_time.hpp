#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace jackdaw::detail {

/// What the kernel did with a thread since that began.
struct thread_time {
  std::uint64_t cpu_ns = 0;      ///< on a processor
  std::uint64_t ready_ns = 0;    ///< other threads, or a limit, kept it from a processor
  std::int64_t preemptions = 0;  ///< times that it lost its processor

  thread_time& operator-=(const thread_time& earlier) noexcept {
    cpu_ns -= earlier.cpu_ns;
    ready_ns -= earlier.ready_ns;
    preemptions -= earlier.preemptions;
    return *this;
  }
};

/// Returns the figures of a thread of this process; none where the kernel does not count them (CONFIG_SCHED_INFO), or
/// the thread has ended. Allocates nothing.
std::optional<thread_time> read_thread_time(pid_t thread) noexcept;

}  // namespace jackdaw::detail
