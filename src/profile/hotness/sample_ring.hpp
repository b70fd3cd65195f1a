#pragma once

#include <linux/perf_event.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jackdaw::profile {

/// A memory access that the processor sampled.
struct address_sample {
  std::uintptr_t address = 0;
  std::uint64_t period = 0;  ///< the events that it represents: those since the last sample

  friend bool operator==(const address_sample&, const address_sample&) = default;
};

/// The ring buffer into which the kernel writes one event's records and from which one reader takes them.
class sample_ring {
 public:
  /// `control` has the positions of the kernel and the reader; `data` has `bytes` bytes, a power of two; both outlive
  /// this. `sample_type` is the event's: PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD, with or without PERF_SAMPLE_DATA_SRC.
  /// With it, only samples of data that came from memory are taken; those from caches are left out.
  sample_ring(perf_event_mmap_page& control, const std::byte* data, std::size_t bytes,
              std::uint64_t sample_type) noexcept
      : control_(&control), data_(data), bytes_(bytes), with_source_((sample_type & PERF_SAMPLE_DATA_SRC) != 0) {}

  /// Appends the samples since the last call. One thread at a time.
  void drain(std::vector<address_sample>& into);

  /// Samples for which the buffer had no room. The kernel reports them before the next sample that has room, so the
  /// last ones are not counted. If a record is malformed, everything after it in the buffer is left out, and counts as
  /// one.
  std::uint64_t lost() const noexcept { return lost_; }

 private:
  void copy(std::uint64_t from, void* into, std::size_t bytes) const noexcept;
  /// Reads the record at `at`, which has this many bytes with its header. False: it is too short.
  bool take(const perf_event_header& header, std::uint64_t at, std::vector<address_sample>& into);

  perf_event_mmap_page* control_;
  const std::byte* data_;
  std::size_t bytes_;
  bool with_source_;
  std::uint64_t lost_ = 0;
};

}  // namespace jackdaw::profile
