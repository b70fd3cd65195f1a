#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstddef>
#include <optional>

namespace jackdaw::profile {

/// The kernel calls that the counters make, and no others; tests replace them. Errors are negative: -errno.
class perf_calls {
 public:
  virtual ~perf_calls() = default;

  /// perf_event_open(2) for the calling thread, on any processor. `group` is the leader's descriptor, or -1 for a
  /// leader. Returns a descriptor.
  virtual int open(const perf_event_attr& event, int group) = 0;
  /// perf_event_open(2) for a thread of this process, given by its kernel thread id; without a group.
  virtual int open_for(const perf_event_attr& event, pid_t thread) = 0;
  /// Maps the control page of an event's buffer of samples and the buffer after it, together `bytes` long; returns 0.
  virtual int map(int descriptor, std::size_t bytes, void*& at) = 0;
  virtual void unmap(void* at, std::size_t bytes) = 0;
  /// Starts a whole group. Returns 0.
  virtual int enable(int group) = 0;
  /// Returns the number of bytes read.
  virtual ssize_t read(int descriptor, void* into, std::size_t bytes) = 0;
  virtual void close(int descriptor) = 0;
  /// kernel.perf_event_paranoid; nullopt if the kernel has no perf events.
  virtual std::optional<int> paranoid() = 0;

 protected:
  perf_calls() = default;
  perf_calls(const perf_calls&) = default;
  perf_calls& operator=(const perf_calls&) = default;
};

/// This computer's kernel. May be called by any thread.
perf_calls& this_kernel();

}  // namespace jackdaw::profile
