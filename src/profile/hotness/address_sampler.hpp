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

/// Samples what one thread accesses, from open() until this ends; the thread may end before. The kernel opens it for
/// any thread of this process, so nothing is asked of the thread itself.
class address_sampler {
 public:
  /// Of the buffer: half a second of samples, at samples_a_second. A user may have 512 KiB of them for each processor
  /// without privileges (kernel.perf_event_mlock_kb), those of perf and others included.
  static constexpr std::size_t buffer_bytes = 64 * 1024;

  /// `thread`: the kernel's number; `event` samples as sample_ring wants it. `kernel` outlives the result.
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
  void* mapped_;  // null: moved away
  sample_ring ring_;
};

}  // namespace jackdaw::profile
