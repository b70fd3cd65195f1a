#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "profile/counters/counter_failure.hpp"
#include "profile/counters/perf_calls.hpp"
#include "profile/hotness/sample_ring.hpp"

namespace jackdaw::profile {

/// Samples one thread's accesses from open() until the destructor; the thread may end before. The kernel opens the
/// event for any thread of this process, so the sampled thread need not do anything.
class address_sampler {
 public:
  /// Bytes of the buffer: half a second of samples, at samples_a_second. Without privileges a user may have 512 KiB of
  /// such buffers per processor (kernel.perf_event_mlock_kb), including those of perf and other programs.
  static constexpr std::size_t buffer_bytes = 64 * 1024;

  /// `thread`: the kernel's thread id; `event` has the sample_type that sample_ring needs. `kernel` outlives the
  /// result.
  static std::variant<address_sampler, counter_failure> open(const perf_event_attr& event, pid_t thread,
                                                             perf_calls& kernel);

  address_sampler(address_sampler&& other) noexcept;
  address_sampler& operator=(address_sampler&&) = delete;
  address_sampler(const address_sampler&) = delete;
  address_sampler& operator=(const address_sampler&) = delete;
  ~address_sampler();

  sample_ring& ring() noexcept { return ring_; }
  const sample_ring& ring() const noexcept { return ring_; }

 private:
  address_sampler(perf_calls& kernel, int descriptor, void* mapped, const sample_ring& ring) noexcept
      : kernel_(&kernel), descriptor_(descriptor), mapped_(mapped), ring_(ring) {}

  perf_calls* kernel_;
  int descriptor_;
  void* mapped_;  // null: moved from
  sample_ring ring_;
};

}  // namespace jackdaw::profile
