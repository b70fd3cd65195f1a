#pragma once

#include <functional>
#include <span>
#include <vector>

namespace jackdaw::numa {

/// Something to do on a thread of its own.
struct pinned_job {
  std::vector<unsigned> cpus;  ///< where it runs, by the operating system's numbers
  std::function<void()> work;  ///< throws nothing
};

/// Does all jobs at once, each on a thread of its own that gets no signals, and `own` on the calling thread; returns
/// when all are done. The caller does the jobs for which no thread can be made. A thread that cannot be restricted to
/// its job's CPUs runs where the caller may.
void do_side_by_side(std::span<const pinned_job> jobs, const std::function<void()>& own);

}  // namespace jackdaw::numa
