#pragma once

#include <linux/perf_event.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jackdaw::profile {

/// An access to data that the processor has picked out.
struct address_sample {
  std::uintptr_t address = 0;
  std::uint64_t period = 0;  ///< events that it stands for: those since the last sample

  friend bool operator==(const address_sample&, const address_sample&) = default;
};

/// The buffer in which the kernel writes one event's records, round and round, and from which one reader takes them.
class sample_ring {
 public:
  /// `control` tells how far the kernel and the reader are, `data` has `bytes`, a power of two; both outlive this.
  /// `sample_type`: of the event, PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD, or these with PERF_SAMPLE_DATA_SRC: then only
  /// samples of data that came from memory are taken, those from caches are left out.
  sample_ring(perf_event_mmap_page& control, const std::byte* data, std::size_t bytes,
              std::uint64_t sample_type) noexcept
      : control_(&control), data_(data), bytes_(bytes), with_source_((sample_type & PERF_SAMPLE_DATA_SRC) != 0) {}

  /// Appends what has been sampled since the last call. One thread at a time.
  void drain(std::vector<address_sample>& into);

  /// Samples for which there was no room in the buffer; the kernel tells of them before the next sample that has room,
  /// so that the last ones are not counted. Where something is not as the kernel writes it, all that is in the buffer
  /// after it is left out, and counts as one.
  std::uint64_t lost() const noexcept { return lost_; }

 private:
  void copy(std::uint64_t from, void* into, std::size_t bytes) const noexcept;
  /// The record at `at`, of so many bytes with its header. False: it is too short.
  bool take(const perf_event_header& header, std::uint64_t at, std::vector<address_sample>& into);

  perf_event_mmap_page* control_;
  const std::byte* data_;
  std::size_t bytes_;
  bool with_source_;
  std::uint64_t lost_ = 0;
};

}  // namespace jackdaw::profile
