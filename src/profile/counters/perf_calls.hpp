#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstddef>
#include <optional>

namespace jackdaw::profile {

/// What the counters ask of the kernel, and nothing else: a test puts another one in its place. Errors are negative,
/// -errno.
class perf_calls {
 public:
  virtual ~perf_calls() = default;

  /// perf_event_open(2) for the calling thread on whatever processor it runs. `group` is the leader's descriptor, or -1
  /// for a leader. Returns a descriptor.
  virtual int open(const perf_event_attr& event, int group) = 0;
  /// perf_event_open(2) for a thread of this process, by the kernel's number of it; no group.
  virtual int open_for(const perf_event_attr& event, pid_t thread) = 0;
  /// Maps the page that tells of an event's buffer of samples, and the buffer after it, of `bytes` together; returns 0.
  virtual int map(int descriptor, std::size_t bytes, void*& at) = 0;
  virtual void unmap(void* at, std::size_t bytes) = 0;
  /// Starts a whole group. Returns 0.
  virtual int enable(int group) = 0;
  /// Returns the number of bytes that were read.
  virtual ssize_t read(int descriptor, void* into, std::size_t bytes) = 0;
  virtual void close(int descriptor) = 0;
  /// kernel.perf_event_paranoid; none where there are no perf events.
  virtual std::optional<int> paranoid() = 0;

 protected:
  perf_calls() = default;
  perf_calls(const perf_calls&) = default;
  perf_calls& operator=(const perf_calls&) = default;
};

/// This computer's. May be called by any thread.
perf_calls& this_kernel();

}  // namespace jackdaw::profile
